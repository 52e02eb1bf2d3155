import type { Item } from '@alcove/contract/items'
import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { useItemDrag } from './use-item-drag.ts'
import type { TileHandlers } from './use-tile-handlers.ts'

/** What was made so short ago is seen to come in. */
const NEW_FOR = 5000

/** What the tile of a file and that of a folder have in common: a cell of the grid that can be dragged. */
export function useTile(item: Item, label: string, isActive: boolean, handlers: TileHandlers) {
  const ref = useRef<HTMLDivElement>(null)
  const isDragged = useItemDrag(ref, item)
  const pointer = useRef('mouse')
  const isNew = useRef(Date.now() - Date.parse(item.createdAt) < NEW_FOR).current
  return {
    ref,
    role: 'gridcell',
    'aria-label': label,
    tabIndex: isActive ? 0 : -1,
    'data-item-id': item.id,
    'data-dragged': isDragged || undefined,
    'data-new': isNew || undefined,
    onFocus: () => handlers.onActivate(item),
    onPointerDown: (event: PointerEvent) => {
      pointer.current = event.pointerType
    },
    onClick: (event: MouseEvent) => {
      const isOnButton = event.target instanceof Element && event.target.closest('button') !== null
      // A finger has no double click: one tap goes into a folder.
      if (pointer.current === 'touch' && item.type === 'folder' && !isOnButton) handlers.onOpen(item)
    },
    onDoubleClick: () => handlers.onOpen(item),
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      event.preventDefault()
      const { left, top } = event.currentTarget.getBoundingClientRect()
      const isByKey = event.clientX === 0 && event.clientY === 0
      handlers.onMenu(item, isByKey ? left + 24 : event.clientX, isByKey ? top + 24 : event.clientY)
    },
  } as const
}
