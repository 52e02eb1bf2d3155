import { onSessionChange } from '../../../api/session.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'

/**
 * The master passphrase in its field. It exists only in the memory of this tab, and is never stored or sent. The end of the
 * session clears it, as a reload does.
 */
const store = createStore('')

export const { get: getPassphrase, set: setPassphrase, subscribe: subscribeToPassphrase } = store
export const usePassphrase = () => useStore(store)

onSessionChange(() => setPassphrase(''))

const enterPassphraseModal = lazyModule(() => import('./EnterPassphraseModal.tsx'))

/** The dialog that is open: several files may wait for its result. */
let asking: Promise<string | undefined> | undefined

/** Returns the passphrase in the field, or asks for it if the field is empty. Returns undefined if the user cancels. */
export async function needPassphrase(): Promise<string | undefined> {
  return getPassphrase() || askPassphrase()
}

function askPassphrase(): Promise<string | undefined> {
  asking ??= new Promise<string | undefined>((resolve) => {
    const onAnswer = (passphrase: string | undefined) => {
      if (passphrase) setPassphrase(passphrase)
      resolve(passphrase)
    }
    void openLater(enterPassphraseModal, ({ openEnterPassphraseModal }) => openEnterPassphraseModal(onAnswer)).then(
      (isOpen) => !isOpen && resolve(undefined),
    )
  }).finally(() => {
    asking = undefined
  })
  return asking
}
