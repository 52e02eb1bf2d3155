import type { File as StoredFile } from '@alcove/contract/items'
import { sampleVault } from '@alcove/contract/vault'
import { send } from '../../../api/api.ts'
import { findFileAddress } from '../../../api/file-address.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { createStore } from '../../../lib/store.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { decryptToFile, openEnvelope, VaultFailure } from '../crypto/index.ts'
import { CHECK_FAILED } from '../vault-texts.ts'
import { getPassphrase, subscribeToPassphrase } from './passphrase.ts'

/**
 * The result of checking a passphrase: it opens a file of the vault (`known`), it opens none of the files that were tried
 * (`unknown`, with one of them), or there is no file to try, because the vault is empty or the files are damaged (`untried`).
 */
export type PassphraseCheck =
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown'; readonly file: StoredFile }
  | { readonly kind: 'untried' }

/** The passphrase in the field if it has opened a file of the vault; else ''. */
export const knownPassphrase = createStore('')

/**
 * Tries a passphrase on a few files of the vault that the server chooses. Derives one key if the passphrase is correct, at
 * most eight if it is wrong. Rejects if the files can't be fetched.
 */
export async function checkPassphrase(passphrase: string, signal?: AbortSignal): Promise<PassphraseCheck> {
  const { files } = await send(sampleVault, {}, { signal })
  if (passphrase === knownPassphrase.get() && files.length > 0) return { kind: 'known' }
  let unopened: StoredFile | undefined
  for (const file of files) {
    const isOpened = await opens(file, passphrase, signal)
    if (isOpened) {
      if (passphrase === getPassphrase()) knownPassphrase.set(passphrase)
      return { kind: 'known' }
    }
    if (isOpened === false) unopened ??= file
  }
  return unopened ? { kind: 'unknown', file: unopened } : { kind: 'untried' }
}

/** Returns whether a passphrase opens a file; undefined if the file is damaged. Rejects if it can't be fetched. */
export async function opens(file: StoredFile, passphrase: string, signal?: AbortSignal): Promise<boolean | undefined> {
  const { name, vaultCheck } = file
  const ciphertext = (options?: { readonly isFresh: boolean }) => findFileAddress(file, options?.isFresh)
  try {
    if (vaultCheck === undefined) {
      const { discard } = await decryptToFile(ciphertext, passphrase, { name, signal })
      await discard()
    } else {
      await openEnvelope(ciphertext, passphrase, { checkValue: vaultCheck, signal })
    }
    return true
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    switch (error.kind) {
      case 'wrong-passphrase':
      case 'wrong-passphrase-or-damaged':
        return false
      case 'too-short':
      case 'damaged':
        return undefined
      default:
        throw error
    }
  }
}

subscribeToPassphrase(() => knownPassphrase.set(''))

/** Lazy, since it contains the dictionary of the strength estimate. */
const confirmPassphraseModal = lazyModule(() => import('./ConfirmPassphraseModal.tsx'))

/** The passphrase that was typed twice in this tab: it is no typo, even before a file is stored that it opens. */
export const confirmedPassphrase = createStore('')
/** The check in progress, which is shared by all uploads with the same passphrase. */
let admitting: { readonly passphrase: string; readonly result: Promise<boolean> } | undefined

/**
 * Returns whether files may be encrypted with a passphrase. One that opens files of the vault may; the first one, or
 * another one, only after the user has repeated it. Shows an error message if it can't be checked.
 */
export async function admitPassphrase(passphrase: string): Promise<boolean> {
  // The result for one passphrase doesn't apply to another that was typed since.
  while (admitting && admitting.passphrase !== passphrase) await admitting.result
  admitting ??= {
    passphrase,
    result: admit(passphrase).finally(() => {
      admitting = undefined
    }),
  }
  return admitting.result
}

async function admit(passphrase: string): Promise<boolean> {
  try {
    const check = await checkPassphrase(passphrase)
    if (check.kind === 'known') return true
    const isFirst = check.kind === 'untried'
    if (isFirst && confirmedPassphrase.get() === passphrase) return true
    const unopened = check.kind === 'unknown' ? check.file.name : undefined
    const isAdmitted = await confirmPassphrase(passphrase, unopened)
    if (isAdmitted && getPassphrase() === passphrase) confirmedPassphrase.set(passphrase)
    return isAdmitted
  } catch {
    notifyError(CHECK_FAILED)
    return false
  }
}

subscribeToPassphrase(() => confirmedPassphrase.set(''))

function confirmPassphrase(passphrase: string, unopened: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    void openLater(confirmPassphraseModal, ({ openConfirmPassphraseModal }) =>
      openConfirmPassphraseModal({ passphrase, unopened, onAnswer: resolve }),
    ).then((isOpen) => !isOpen && resolve(false))
  })
}
