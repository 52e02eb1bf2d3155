import type { File, Item } from '@alcove/contract/items'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import type { DropItems } from '../drag/use-item-drag.ts'

/** The modifier keys and the kind of pointer of a click. */
interface Press {
  readonly isTouch: boolean
  /** Whether it is the second click of a double click, or a later one. */
  readonly isRepeated: boolean
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The event handlers that a grid passes to its tiles. */
export interface TileHandlers {
  /** Called when the tile at an index gets the focus. */
  readonly onActivate: (index: number) => void
  readonly onPress: (item: Item, index: number, press: Press) => void
  readonly onLongPress: (item: Item) => void
  readonly onToggle: (item: Item) => void
  readonly onOpen: (item: Item) => void
  /** The button for it. Absent, like that for removing, on touch screens and where the user may only look or add. */
  readonly onRename?: (item: Item) => void
  readonly onRemove?: (item: Item) => void
  /** Absent where items can't be favorites. */
  readonly onToggleFavorite?: (item: Item) => void
  /** `isOnItem` says that the item itself was clicked, which selects it, and not its button. */
  readonly onMenu: (item: Item, x: number, y: number, isOnItem: boolean) => void
  /** Returns the items that are dragged together with an item. */
  readonly getDragged: (item: Item) => readonly Item[]
  /** Absent, like dropping files, where the user may not. */
  readonly onMoveInto: DropItems | undefined
  readonly onDropFiles: ((folderId: string, items: DataTransferItem[]) => void) | undefined
}

/** Returns the handlers as an object that stays the same, so that a tile renders only when its own item changes. */
export function useTileHandlers(handlers: TileHandlers): TileHandlers {
  const latest = useRef(handlers)
  const canRename = handlers.onRename !== undefined
  const canRemove = handlers.onRemove !== undefined
  const canMove = handlers.onMoveInto !== undefined
  const canDrop = handlers.onDropFiles !== undefined
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
      onRename: canRename ? (item) => latest.current.onRename?.(item) : undefined,
      onRemove: canRemove ? (item) => latest.current.onRemove?.(item) : undefined,
      onToggleFavorite: hasHearts ? (item) => latest.current.onToggleFavorite?.(item) : undefined,
      onMenu: (item, x, y, isOnItem) => latest.current.onMenu(item, x, y, isOnItem),
      getDragged: (item) => latest.current.getDragged(item),
      onMoveInto: canMove ? (...dropped) => latest.current.onMoveInto?.(...dropped) : undefined,
      onDropFiles: canDrop ? (folderId, items) => latest.current.onDropFiles?.(folderId, items) : undefined,
    }),
    [hasHearts, canRename, canRemove, canMove, canDrop],
  )
}

/** Replaces parts of file tiles and rows, as in the vault. Must be the same object as long as a list is shown. */
export interface TileParts {
  /** Replaces the thumbnail. */
  readonly Picture: (props: { readonly file: File; readonly isSmall?: boolean }) => ReactNode
  /** Returns whether the picture shows the file's type as text. */
  readonly showsType: (file: File) => boolean
  /** The text of the foot, for the accessible name of the tile. */
  readonly footLabel: string
  /** Shown below a tile, and at the end of a row. */
  readonly Foot: (props: { readonly file: File; readonly isActive: boolean; readonly isSmall?: boolean }) => ReactNode
}
