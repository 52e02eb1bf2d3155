import { later } from '../../lib/later.ts'
import { openLater } from '../../ui/dialogs.tsx'
import { notifyError } from '../../ui/notify.tsx'
import { judgePassphrase } from './judge-passphrase.ts'
import { getPassphrase, subscribeToPassphrase } from './passphrase.ts'
import { CHECK_FAILED } from './vault-texts.ts'

/** With the dictionary of the estimate, so it is fetched only by those who set a passphrase. */
const modal = later(() => import('./ConfirmPassphraseModal.tsx'))

/** The one typed twice in this tab, for uploads that follow before the first file is stored. */
let confirmed = ''
/** What is being found out, for all who ask about the same passphrase meanwhile. */
let asked: { readonly passphrase: string; readonly answer: Promise<boolean> } | undefined

/**
 * Resolves to whether files may be encrypted with a passphrase: one that opens files of the vault may at once, the first
 * one and another one only after it was typed again. Nothing is sent before. Says itself why not.
 */
export async function admitPassphrase(passphrase: string): Promise<boolean> {
  // The answer for one passphrase says nothing of another that was typed since.
  while (asked && asked.passphrase !== passphrase) await asked.answer
  asked ??= {
    passphrase,
    answer: admit(passphrase).finally(() => {
      asked = undefined
    }),
  }
  return asked.answer
}

async function admit(passphrase: string): Promise<boolean> {
  try {
    const judgement = await judgePassphrase(passphrase)
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
      openConfirmPassphraseModal({ passphrase, unopened, answer: resolve }),
    ).then((isOpen) => !isOpen && resolve(false))
  })
}
