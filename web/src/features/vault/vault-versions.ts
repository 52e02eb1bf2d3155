import type { File as StoredFile } from '@alcove/contract/items'
import type { Version } from '@alcove/contract/versions'
import type { OpenableFile } from './opened-files.ts'
import { toVaultPreviewItem } from './preview-items.ts'
import { downloadDecrypted } from './vault-actions.ts'

/** How the bytes of earlier versions of vault files are read: each has a salt, an IV and a check value of its own. */
export const vaultVersions = {
  download: (file: StoredFile, version: Version) => downloadDecrypted(asFile(file, version)),
  toPreviewItem: (file: StoredFile, version: Version) => toVaultPreviewItem(asFile(file, version)),
}

function asFile(file: StoredFile, { id, size, modifiedAt, vaultCheck }: Version): OpenableFile {
  return { ...file, versionId: id, size, updatedAt: modifiedAt, modifiedAt, vaultCheck }
}
