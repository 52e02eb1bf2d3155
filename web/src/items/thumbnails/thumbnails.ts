import { getThumbnail } from '@alcove/contract/bytes'
import type { File } from '@alcove/contract/items'
import { type ThumbnailSize, thumbnailKindOf } from '@alcove/contract/thumbnails'
import { fetchBlob } from '../../api/api.ts'
import { getSession, subscribeToSession } from '../../api/session.ts'
import { thumbnailAddress, thumbnailInput, tileThumbnailSize } from '../../api/thumbnail-address.ts'
import { hasVideoThumbnails } from '../../lib/site.ts'
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

/** Fetches the pictures of files before their tiles are there to ask for them. */
export function prefetchTileThumbnails(files: readonly File[]): void {
  for (const file of files) {
    const source = findThumbnailSource(file)
    if (!source) continue
    const release = thumbnails.request(source, () => queueMicrotask(() => release()))
  }
}

/** Where the thumbnail of one's own file comes from, by default for a tile, or undefined for a file that has none. */
export function findThumbnailSource(file: File, given?: ThumbnailSize, hasCover = false): ThumbnailSource | undefined {
  if (!hasThumbnail(file, hasCover)) return undefined
  const size = given ?? tileThumbnailSize()
  return {
    key: thumbnailAddress(file, size),
    load: (signal) => fetchBlob(getThumbnail, thumbnailInput(file, size), { signal }),
  }
}
