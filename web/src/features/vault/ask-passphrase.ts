import { later } from '../../lib/later.ts'
import { openLater } from '../../ui/dialogs.tsx'
import { getPassphrase, setPassphrase } from './passphrase.ts'

const modal = later(() => import('./EnterPassphraseModal.tsx'))

/** The question that is on screen: several files may want the answer at once. */
let asked: Promise<string | undefined> | undefined

/** The passphrase of the field above the list, or what the user answers when that is empty; undefined for a Cancel. */
export async function needPassphrase(): Promise<string | undefined> {
  return getPassphrase() || askPassphrase()
}

function askPassphrase(): Promise<string | undefined> {
  asked ??= new Promise<string | undefined>((resolve) => {
    const answer = (passphrase: string | undefined) => {
      if (passphrase) setPassphrase(passphrase)
      resolve(passphrase)
    }
    void openLater(modal, ({ openEnterPassphraseModal }) => openEnterPassphraseModal(answer)).then(
      (isOpen) => !isOpen && resolve(undefined),
    )
  }).finally(() => {
    asked = undefined
  })
  return asked
}
