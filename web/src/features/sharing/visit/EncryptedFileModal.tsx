import type { PublicFile } from '@alcove/contract/sharing'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { type Decryptor, EncryptedFile } from './EncryptedFile.tsx'
import type { Visit } from './link-address.ts'

/** Opens an encrypted file of a shared folder. It always asks for the passphrase: only links to one file contain a key. */
export function openEncryptedFileModal(
  visit: Visit,
  file: PublicFile,
  canPreview: boolean,
  Decryptor: Decryptor,
): void {
  openDialog({
    title: file.name,
    size: 640,
    children: <EncryptedFile visit={visit} file={file} canPreview={canPreview} Decryptor={Decryptor} />,
  })
}
