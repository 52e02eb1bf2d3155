import type { Item } from '@alcove/contract/items'
import { useLayoutEffect, useMemo, useRef } from 'react'

/** What a grid gives to each of its tiles. */
export interface TileHandlers {
  readonly onActivate: (item: Item) => void
  readonly onOpen: (item: Item) => void
  readonly onRename: (item: Item) => void
  readonly onRemove: (item: Item) => void
  /** Absent where items have no heart. */
  readonly onToggleFavorite?: (item: Item) => void
  readonly onMenu: (item: Item, x: number, y: number) => void
  readonly onMoveInto: (item: Item, folderId: string | undefined) => void
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
}

/** The handlers as one object that never changes, so that a tile is drawn again only when its own item changes. */
export function useTileHandlers(handlers: TileHandlers): TileHandlers {
  const latest = useRef(handlers)
  const hasHearts = handlers.onToggleFavorite !== undefined
  useLayoutEffect(() => {
    latest.current = handlers
  })
  return useMemo(
    () => ({
      onActivate: (item) => latest.current.onActivate(item),
      onOpen: (item) => latest.current.onOpen(item),
      onRename: (item) => latest.current.onRename(item),
      onRemove: (item) => latest.current.onRemove(item),
      onToggleFavorite: hasHearts ? (item) => latest.current.onToggleFavorite?.(item) : undefined,
      onMenu: (item, x, y) => latest.current.onMenu(item, x, y),
      onMoveInto: (item, folderId) => latest.current.onMoveInto(item, folderId),
      onDropFiles: (folderId, items) => latest.current.onDropFiles(folderId, items),
    }),
    [hasHearts],
  )
}
