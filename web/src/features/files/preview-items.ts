import type { File } from '@alcove/contract/items'
import { getMediaTags, getPlayback } from '@alcove/contract/media'
import { send } from '../../api/api.ts'
import { findFileAddress } from '../../api/file-address.ts'
import { ownAddress } from '../../api/own-address.ts'
import { findThumbnailSource } from '../../items/thumbnails/thumbnails.ts'
import type { PreviewItem } from '../../preview/preview-item.ts'

/** A file of the user's own as the previewer takes it. */
export function toPreviewItem(file: File): PreviewItem {
  return {
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    size: file.size,
    updatedAt: file.updatedAt,
    isFavorite: file.isFavorite,
    url: (options) => findFileAddress(file.id, options?.isFresh),
    playlists: async () => (await send(getPlayback, { id: file.id })).playlists.map(ownAddress),
    tags: async () => {
      const { hasCover, ...tags } = await send(getMediaTags, { id: file.id })
      return { ...tags, cover: hasCover ? findThumbnailSource(file, 512, true) : undefined }
    },
    thumbnail: (size) => findThumbnailSource(file, size),
  }
}
