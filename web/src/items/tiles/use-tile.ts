import type { Item } from '@alcove/contract/items'
import { type MouseEvent, useRef } from 'react'
import { useIsCut } from '../drag/clipboard.ts'
import { useItemDrag } from '../drag/use-item-drag.ts'
import type { TileParts } from './tile-parts.ts'
import { useLongPress } from './use-long-press.ts'
import type { TileHandlers } from './use-tile-handlers.ts'

/** What was made so short ago is seen to come in. */
const NEW_FOR = 5000

export interface TileProps<T extends Item> {
  readonly item: T
  /** Where it stands in the list. */
  readonly index: number
  /** The one that Tab reaches. */
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly handlers: TileHandlers
  /** Whether it has its buttons and check box already (`useTileTools`). */
  readonly hasTools: boolean
  readonly parts?: TileParts
}

/** What the tiles of files and folders and the rows of a list have in common: they are selected, opened and dragged. */
export function useTile({ item, index, isActive, isSelected, handlers }: TileProps<Item>, label: string) {
  const ref = useRef<HTMLDivElement>(null)
  const isDragged = useItemDrag(ref, item, handlers.getDragged)
  const isCut = useIsCut(item.id)
  const { isTouch, wasLong, ...press } = useLongPress(() => handlers.onLongPress(item))
  const isNew = useRef(Date.now() - Date.parse(item.createdAt) < NEW_FOR).current
  return {
    ref,
    'aria-label': label,
    'aria-selected': isSelected,
    tabIndex: isActive ? 0 : -1,
    'data-item-id': item.id,
    'data-index': index,
    'data-selected': isSelected || undefined,
    'data-dragged': isDragged || undefined,
    'data-cut': isCut || undefined,
    'data-new': isNew || undefined,
    ...press,
    onFocus: () => handlers.onActivate(index),
    onClick(event: MouseEvent) {
      if (isOnControl(event) || wasLong()) return
      const { shiftKey, ctrlKey, metaKey } = event
      handlers.onPress(item, index, { isTouch: isTouch(), shiftKey, ctrlKey, metaKey })
    },
    onDoubleClick(event: MouseEvent) {
      if (!isOnControl(event) && !isTouch() && !event.ctrlKey && !event.metaKey && !event.shiftKey)
        handlers.onOpen(item)
    },
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault()
      // A finger that rests selects; the browser calls that a context menu too.
      if (isTouch()) return handlers.onLongPress(item)
      const { left, top } = event.currentTarget.getBoundingClientRect()
      const isByKey = event.clientX === 0 && event.clientY === 0
      handlers.onMenu(item, isByKey ? left + 24 : event.clientX, isByKey ? top + 24 : event.clientY, true)
    },
  } as const
}

/** On a button or check box of the tile, which has its own meaning. */
function isOnControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('button, input, label') !== null
}
