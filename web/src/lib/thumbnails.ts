import { getThumbnail } from '@alcove/contract/bytes'
import type { File } from '@alcove/contract/items'
import { type ThumbnailSize, thumbnailKindOf } from '@alcove/contract/thumbnails'
import { addressOf, fetchBlob } from './api.ts'
import { getSession, subscribeToSession } from './session.ts'
import { hasVideoThumbnails } from './site.ts'
import { createThumbnailStore, type ThumbnailSource } from './thumbnail-store.ts'

/** The pictures of all tiles, wherever they are shown. */
export const thumbnails = createThumbnailStore()

let token = getSession().token
subscribeToSession(() => {
  if (getSession().token === token) return
  token = getSession().token
  thumbnails.clear()
})

/** Whether the server may have a thumbnail of a file; of music it has one where a cover is known to lie in it. */
export function hasThumbnail(
  { name, size, isEncrypted }: Pick<File, 'name' | 'size' | 'isEncrypted'>,
  hasCover = false,
): boolean {
  const kind = thumbnailKindOf(name, hasCover)
  return kind !== undefined && (kind !== 'video' || hasVideoThumbnails) && size > 0 && !isEncrypted
}

/** Returns how large a picture fills a tile's bed on this screen. */
export function tileThumbnailSize(): ThumbnailSize {
  return window.devicePixelRatio > 1 ? 512 : 256
}

/** Fetches the pictures of files before their tiles are there to ask for them. */
export function prefetchTileThumbnails(files: readonly File[]): void {
  for (const file of files) {
    const source = findThumbnailSource(file, tileThumbnailSize())
    if (!source) continue
    const release = thumbnails.request(source, () => queueMicrotask(() => release()))
  }
}

/** Where the thumbnail of one's own file comes from, or undefined for a file that has none. */
export function findThumbnailSource(file: File, size: ThumbnailSize, hasCover = false): ThumbnailSource | undefined {
  if (!hasThumbnail(file, hasCover)) return undefined
  // The address changes with the bytes, so that the browser may keep what it has got.
  const input = { id: file.id, size: String(size), v: file.updatedAt }
  return {
    key: addressOf(getThumbnail, input),
    load: (signal) => fetchBlob(getThumbnail, input, { signal }),
  }
}
