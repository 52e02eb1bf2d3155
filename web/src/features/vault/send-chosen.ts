import type { UploadTarget } from '../../lib/upload-entries.ts'
import { notifyError } from '../../ui/notify.tsx'
import { getPassphrase } from './passphrase.ts'
import { uploadFiles, uploadFolders } from './upload-encrypted.ts'
import { FILE_MISSING, FOLDER_MISSING } from './vault-texts.ts'

/**
 * Encrypts and uploads what was chosen, with the passphrase that is entered. Returns whether it has begun: says what is
 * missing otherwise, or asks about the passphrase.
 */
export async function sendChosen(
  kind: 'file' | 'folder',
  files: readonly File[],
  target: UploadTarget,
): Promise<boolean> {
  const passphrase = getPassphrase()
  if (files.length === 0 || passphrase === '') {
    notifyError(kind === 'file' ? FILE_MISSING : FOLDER_MISSING)
    return false
  }
  return (await (kind === 'file' ? uploadFiles : uploadFolders)(files, passphrase, target)) === true
}
