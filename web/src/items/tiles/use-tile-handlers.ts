import type { Item } from '@alcove/contract/items'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { DropItems } from '../drag/use-item-drag.ts'

/** The keys held and the kind of pointer while something is clicked. */
export interface Press {
  readonly isTouch: boolean
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** What a grid gives to each of its tiles. */
export interface TileHandlers {
  /** The focus has come to the tile at an index. */
  readonly onActivate: (index: number) => void
  readonly onPress: (item: Item, index: number, press: Press) => void
  readonly onLongPress: (item: Item) => void
  readonly onToggle: (item: Item) => void
  readonly onOpen: (item: Item) => void
  readonly onRename: (item: Item) => void
  readonly onRemove: (item: Item) => void
  /** Absent where items have no heart. */
  readonly onToggleFavorite?: (item: Item) => void
  /** `isOnItem` is a click on the item itself, which selects it, and not on its button. */
  readonly onMenu: (item: Item, x: number, y: number, isOnItem: boolean) => void
  /** What goes along when an item is dragged. */
  readonly getDragged: (item: Item) => readonly Item[]
  readonly onMoveInto: DropItems
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
      onActivate: (index) => latest.current.onActivate(index),
      onPress: (item, index, press) => latest.current.onPress(item, index, press),
      onLongPress: (item) => latest.current.onLongPress(item),
      onToggle: (item) => latest.current.onToggle(item),
      onOpen: (item) => latest.current.onOpen(item),
      onRename: (item) => latest.current.onRename(item),
      onRemove: (item) => latest.current.onRemove(item),
      onToggleFavorite: hasHearts ? (item) => latest.current.onToggleFavorite?.(item) : undefined,
      onMenu: (item, x, y, isOnItem) => latest.current.onMenu(item, x, y, isOnItem),
      getDragged: (item) => latest.current.getDragged(item),
      onMoveInto: (items, folderId, isCopy) => latest.current.onMoveInto(items, folderId, isCopy),
      onDropFiles: (folderId, items) => latest.current.onDropFiles(folderId, items),
    }),
    [hasHearts],
  )
}
