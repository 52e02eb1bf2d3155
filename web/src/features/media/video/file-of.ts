import { mimeTypeOf } from '@alcove/contract/file-types'
import type { File } from '@alcove/contract/items'
import type { MediaFile } from '@alcove/contract/media'

/** A video as the file that it is, for what shows any file. */
export function fileOf({ id, filename, folder_id, size, updatedAt }: MediaFile): File {
  return {
    id,
    filename,
    name: filename,
    folder_id,
    type: 'file',
    mimeType: mimeTypeOf(filename),
    size,
    createdAt: updatedAt,
    updatedAt,
    isEncrypted: false,
    isFavorite: false,
    isShared: false,
  }
}
