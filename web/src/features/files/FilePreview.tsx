import type { File } from '@alcove/contract/items'
import { useMemo } from 'react'
import type { ItemActions } from '../../items/item-actions.ts'
import { type ItemList, indexOfItem, itemAt, knownItems } from '../../items/lists/item-lists.ts'
import { Preview } from '../../preview/Preview.tsx'
import type { PreviewActions, PreviewItem } from '../../preview/preview-item.ts'
import { usePreviewAddress } from '../../preview/use-preview-address.ts'
import { toPreviewItem } from './preview-items.ts'

interface FilePreviewProps {
  /** What the page shows; the preview goes through its files in the same order. */
  readonly list: ItemList | undefined
  readonly actions: ItemActions
  /** How the previewer takes a file, where that is not as a file of the drive. */
  readonly toItem?: (file: File) => PreviewItem
}

/** The preview of the user's own files. */
export function FilePreview({ list, actions, toItem = toPreviewItem }: FilePreviewProps) {
  const { previewId } = usePreviewAddress()
  const items = useMemo(() => {
    if (previewId === undefined || !list) return undefined
    // It may be on a page that is still to come.
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
    remove: withFile((file) => remove([file])),
  }
}
