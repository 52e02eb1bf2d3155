import type { File } from '@alcove/contract/items'
import { getMediaTags, getPlayback } from '@alcove/contract/media'
import { useMemo } from 'react'
import { send } from '../../api/api.ts'
import { findFileAddress, ownAddress } from '../../api/file-address.ts'
import type { ItemActions } from '../../items/item-actions.ts'
import { type ItemList, indexOfItem, itemAt, knownItems } from '../../items/lists/item-lists.ts'
import { findThumbnailSource } from '../../items/thumbnails.ts'
import { Preview } from '../../preview/Preview.tsx'
import type { PreviewActions, PreviewItem } from '../../preview/preview-item.ts'
import { usePreviewAddress } from '../../preview/use-preview-address.ts'

interface FilePreviewProps {
  /** The list that the page shows. The preview goes through its files in the same order. */
  readonly list: ItemList | undefined
  readonly actions: ItemActions
  /** Converts a file for the preview; by default as a file of the drive. */
  readonly toItem?: (file: File) => PreviewItem
}

/** The preview of the user's own files. */
export function FilePreview({ list, actions, toItem = toPreviewItem }: FilePreviewProps) {
  const { previewId } = usePreviewAddress()
  const items = useMemo(() => {
    if (previewId === undefined || !list) return undefined
    // It may be on a page that hasn't loaded.
    if (indexOfItem(list, previewId) < 0 && list.nextCursor !== null) return undefined
    return knownItems(list)
      .filter((item) => item.type === 'file')
      .map(toItem)
  }, [list, previewId, toItem])
  return <Preview items={items} actions={forFiles(actions, list)} />
}

function forFiles(
  { toggleFavorite, share, download, remove }: ItemActions,
  list: ItemList | undefined,
): PreviewActions {
  const withFile = (run: (file: File) => void) => (item: PreviewItem) => {
    const file = list && itemAt(list, indexOfItem(list, item.id))
    if (file?.type === 'file') run(file)
  }
  return {
    toggleFavorite: toggleFavorite && withFile((file) => toggleFavorite([file], !file.isFavorite)),
    openLink: share && withFile(share),
    download: withFile((file) => download([file])),
    remove: remove && withFile((file) => remove([file])),
  }
}

/** Converts a file of the drive for the preview. */
function toPreviewItem(file: File): PreviewItem {
  return {
    id: file.id,
    version: file.updatedAt,
    name: file.name,
    mimeType: file.mimeType,
    size: file.size,
    modifiedAt: file.modifiedAt,
    isFavorite: file.isFavorite,
    ...(file.isDamaged && { note: 'damaged, see its details' }),
    url: (options) => findFileAddress(file, options?.isFresh),
    playlists: async () => (await send(getPlayback, { id: file.id })).playlists.map(ownAddress),
    tags: async () => {
      const { hasCover, ...tags } = await send(getMediaTags, { id: file.id })
      return { ...tags, cover: hasCover ? findThumbnailSource(file, 512, true) : undefined }
    },
    thumbnail: (size) => findThumbnailSource(file, size),
  }
}
