import type { File } from '@alcove/contract/items'
import { findFileAddress } from '../../../api/file-address.ts'
import { exportKey, openEnvelope } from '../crypto/index.ts'
import { openFile } from '../opened-files.ts'

/** The key of a file as text, once it has proved to be the right one. Rejects with a `VaultFailure`. */
export async function exportFileKey(file: File, passphrase: string): Promise<string> {
  const ciphertext = (options?: { readonly isFresh: boolean }) => findFileAddress(file.id, options?.isFresh)
  const { header, isConfirmed } = await openEnvelope(ciphertext, passphrase, { checkValue: file.vaultCheck })
  // Without a check value only the whole file can tell.
  if (!isConfirmed) await openFile(file, passphrase)
  return exportKey(passphrase, header.salt)
}
