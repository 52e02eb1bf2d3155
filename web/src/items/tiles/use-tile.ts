import type { Folder, Item } from '@alcove/contract/items'
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { useIsPainted } from '../../lib/after-paint.ts'
import { useCanHover } from '../../lib/use-media.ts'
import { useIsCut } from '../drag/clipboard.ts'
import { useFileDrop } from '../drag/drag-and-drop.ts'
import { useItemDrag, useItemDrop } from '../drag/use-item-drag.ts'
import { contentIdOf } from '../mounts.ts'
import type { TileHandlers, TileParts } from './tile-handlers.ts'

/** Items that are newer than this fade in, in milliseconds. */
const NEW_FOR = 5000

export interface TileProps<T extends Item> {
  readonly item: T
  /** The index in the list. */
  readonly index: number
  /** Whether it is the item that Tab reaches. */
  readonly isActive: boolean
  readonly isSelected: boolean
  /** Whether the user was just led to it. */
  readonly isMarked?: boolean
  readonly handlers: TileHandlers
  /** Whether it shows its buttons and check box (`useTileTools`). */
  readonly hasTools: boolean
  readonly parts?: TileParts
}

/** Returns the props that tiles and list rows have in common: they are selected, opened and dragged. */
export function useTile(props: TileProps<Item>, label: string) {
  const { item, index, isActive, isSelected, isMarked, handlers } = props
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
    'data-arrived': isMarked || undefined,
    ...press,
    onFocus: () => handlers.onActivate(index),
    onClick(event: MouseEvent) {
      if (isOnControl(event) || wasLong()) return
      const { shiftKey, ctrlKey, metaKey, detail } = event
      handlers.onPress(item, index, { isTouch: isTouch(), isRepeated: detail > 1, shiftKey, ctrlKey, metaKey })
    },
    onDoubleClick(event: MouseEvent) {
      if (!isOnControl(event) && !isTouch() && !event.ctrlKey && !event.metaKey && !event.shiftKey)
        handlers.onOpen(item)
    },
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault()
      // A long press selects. The browser fires this event for it too.
      if (isTouch()) return handlers.onLongPress(item)
      const { left, top } = event.currentTarget.getBoundingClientRect()
      const isByKey = event.clientX === 0 && event.clientY === 0
      handlers.onMenu(item, isByKey ? left + 24 : event.clientX, isByKey ? top + 24 : event.clientY, true)
    },
  } as const
}

/** Returns whether an event is on a button or check box of the tile. */
function isOnControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('button, input, label') !== null
}

const LONG_PRESS = 450
/** A finger that moves further than this scrolls, in pixels. */
const SLACK = 10

/** Detects long presses on an element, and the kind of pointer that was last on it. */
function useLongPress(onLongPress: () => void) {
  const state = useRef({ type: 'mouse', x: 0, y: 0, isLong: false })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    isTouch: () => state.current.type === 'touch',
    /** Whether the press that just ended was a long one, which has been handled. */
    wasLong: () => state.current.isLong,
    onPointerDown({ pointerType, clientX, clientY, target, currentTarget }: PointerEvent<HTMLElement>) {
      state.current = { type: pointerType, x: clientX, y: clientY, isLong: false }
      stop()
      // On a touch screen a long press selects, so only a mouse can drag. Touch users have Move.
      currentTarget.draggable = pointerType !== 'touch'
      if (pointerType !== 'touch' || (target instanceof Element && target.closest('button, input, label'))) return
      timer.current = setTimeout(() => {
        state.current.isLong = true
        onLongPress()
      }, LONG_PRESS)
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = state.current
      if (Math.hypot(clientX - x, clientY - y) > SLACK) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  }
}

const dropTexts = { move: 'Move here', copy: 'Copy here' } as const

/** Makes a folder accept dropped items and files. Returns the text that says what a drop would do now. */
export function useFolderDrop(
  ref: RefObject<HTMLElement | null>,
  folder: Folder,
  handlers: TileHandlers,
): string | undefined {
  const id = contentIdOf(folder)
  const drop = useItemDrop(ref, id, handlers.onMoveInto, {
    name: folder.name,
    onSpring: () => handlers.onOpen(folder),
  })
  const isFileTarget = useFileDrop(ref, handlers.onDropFiles && ((items) => handlers.onDropFiles?.(id, items)))
  if (drop !== false) return dropTexts[drop]
  return isFileTarget ? 'Upload here' : undefined
}

/**
 * Returns whether tiles have their buttons and check boxes, which show on hover and focus. In the first grid of a visit
 * they are added after the first paint; touch screens have them at once.
 */
export function useTileTools(): boolean {
  const canHover = useCanHover()
  return useIsPainted() || !canHover
}
