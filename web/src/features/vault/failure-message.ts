import { ApiError } from '../../api/api.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { VaultFailure } from './crypto/index.ts'
import { DECRYPTION_FAILED, DOWNLOAD_FAILED } from './vault-texts.ts'

/** Says why a file could not be had; nothing where the user has called it off. */
export function failureMessage(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  const text = textOf(error)
  if (text !== DECRYPTION_FAILED) notifyError(text)
  // The literal sentence names the passphrase alone; what is known beyond that is a click away.
  else notifyError(text, { label: 'Details', run: () => notifyError((error as VaultFailure).message) })
}

/** The specification's sentence for a failure, or where it has none, ours. */
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
