import { mimeTypeOf } from '@alcove/contract/file-types'
import type { ItemRow } from '../platform/db/tables.ts'
import type { BlobAnswer } from '../platform/http/bytes-answer.ts'

/** A file's bytes as an answer. What lies in the vault is ciphertext, whatever its name says. */
export function answerFile(file: ItemRow, disposition: 'inline' | 'attachment'): BlobAnswer {
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
