import { mimeTypeOf } from '@alcove/contract/file-types'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { BlobResponse } from '../../platform/http/bytes-response.ts'

/** A file's bytes as a response. What lies in the vault is ciphertext, whatever its name says. */
export function fileResponse(file: ItemRow, disposition: 'inline' | 'attachment'): BlobResponse {
  return {
    kind: 'blob',
    blobKey: file.blob_key as string,
    size: file.size,
    filename: file.name,
    mimeType: file.area === 'vault' ? 'application/octet-stream' : mimeTypeOf(file.name),
    disposition,
    updatedAt: file.updated_at,
  }
}
