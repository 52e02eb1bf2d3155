import { ApiError } from '../../api/api.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { VaultFailure } from './crypto/index.ts'
import { DECRYPTION_FAILED, DOWNLOAD_FAILED } from './vault-texts.ts'

/** Shows why a file couldn't be opened; nothing if the user cancelled. */
export function notifyFailure(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  const text = textOf(error)
  if (text !== DECRYPTION_FAILED) notifyError(text)
  // The specified message only mentions the passphrase. A click shows the details.
  else notifyError(text, { label: 'Details', run: () => notifyError((error as VaultFailure).message) })
}

/** Returns the specified message for a failure, or our own. */
export function textOf(error: unknown): string {
  if (!(error instanceof VaultFailure)) return (error instanceof ApiError && error.text) || DOWNLOAD_FAILED
  switch (error.kind) {
    case 'wrong-passphrase':
    case 'wrong-passphrase-or-damaged':
    case 'damaged':
    case 'too-short':
      return DECRYPTION_FAILED
    case 'network':
      return DOWNLOAD_FAILED
    default:
      return error.message
  }
}
