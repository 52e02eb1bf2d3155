import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { CHECK_FAILED } from '../vault-texts.ts'
import { checkPassphrase } from './check-passphrase.ts'
import { getPassphrase, subscribeToPassphrase } from './passphrase.ts'

/** With the dictionary of the estimate, so it is fetched only by those who set a passphrase. */
const modal = lazyModule(() => import('./ConfirmPassphraseModal.tsx'))

/** The one typed twice in this tab, for uploads that follow before the first file is stored. */
let confirmed = ''
/** What is being found out, for all who ask about the same passphrase meanwhile. */
let requested: { readonly passphrase: string; readonly response: Promise<boolean> } | undefined

/**
 * Resolves to whether files may be encrypted with a passphrase: one that opens files of the vault may at once, the first
 * one and another one only after it was typed again. Nothing is sent before. Says itself why not.
 */
export async function admitPassphrase(passphrase: string): Promise<boolean> {
  // The response for one passphrase says nothing of another that was typed since.
  while (requested && requested.passphrase !== passphrase) await requested.response
  requested ??= {
    passphrase,
    response: admit(passphrase).finally(() => {
      requested = undefined
    }),
  }
  return requested.response
}

async function admit(passphrase: string): Promise<boolean> {
  try {
    const judgement = await checkPassphrase(passphrase)
    if (judgement.kind === 'known') return true
    const isFirst = judgement.kind === 'untried'
    if (isFirst && confirmed === passphrase) return true
    const unopened = judgement.kind === 'unknown' ? judgement.file.name : undefined
    const isAdmitted = await confirmPassphrase(passphrase, unopened)
    if (isAdmitted && isFirst && getPassphrase() === passphrase) confirmed = passphrase
    return isAdmitted
  } catch {
    notifyError(CHECK_FAILED)
    return false
  }
}

subscribeToPassphrase(() => {
  confirmed = ''
})

function confirmPassphrase(passphrase: string, unopened: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    void openLater(modal, ({ openConfirmPassphraseModal }) =>
      openConfirmPassphraseModal({ passphrase, unopened, response: resolve }),
    ).then((isOpen) => !isOpen && resolve(false))
  })
}
