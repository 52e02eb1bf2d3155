import { getThumbnail } from '@alcove/contract/bytes'
import type { File } from '@alcove/contract/items'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { addressOf } from './call-address.ts'

/** Returns how large a picture fills a tile's bed on this screen. */
export function tileThumbnailSize(): ThumbnailSize {
  return window.devicePixelRatio > 1 ? 512 : 256
}

/** What a file's thumbnail is asked for with. It changes with the bytes, so that the browser may keep what it has got. */
export function thumbnailInput(file: Pick<File, 'id' | 'updatedAt'>, size: ThumbnailSize) {
  return { id: file.id, size: String(size), v: file.updatedAt }
}

/** Where the thumbnail of one's own file is. */
export function thumbnailAddress(file: Pick<File, 'id' | 'updatedAt'>, size: ThumbnailSize): string {
  return addressOf(getThumbnail, thumbnailInput(file, size))
}
