import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { getPassphrase, setPassphrase } from './passphrase.ts'

const modal = lazyModule(() => import('./EnterPassphraseModal.tsx'))

/** The question that is on screen: several files may want the response at once. */
let requested: Promise<string | undefined> | undefined

/** The passphrase of the field above the list, or what the user answers when that is empty; undefined for a Cancel. */
export async function needPassphrase(): Promise<string | undefined> {
  return getPassphrase() || askPassphrase()
}

function askPassphrase(): Promise<string | undefined> {
  requested ??= new Promise<string | undefined>((resolve) => {
    const response = (passphrase: string | undefined) => {
      if (passphrase) setPassphrase(passphrase)
      resolve(passphrase)
    }
    void openLater(modal, ({ openEnterPassphraseModal }) => openEnterPassphraseModal(response)).then(
      (isOpen) => !isOpen && resolve(undefined),
    )
  }).finally(() => {
    requested = undefined
  })
  return requested
}
