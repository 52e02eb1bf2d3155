import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { afterDialogs, isFocusInDialog } from '../../ui/dialogs/open-layers.ts'
import { type ItemList, indexOfItem, itemAt, mayStillCome } from '../lists/item-lists.ts'

interface Active {
  readonly index: number
  /** Undefined while the item at the index hasn't loaded. */
  readonly id?: string
}

/**
 * Tracks the active item of a list: the only one that Tab reaches. When it is removed, the item that takes its place
 * becomes active, and gets the focus if it would be lost. `requestFocus` activates and focuses an index, loaded or not.
 */
export function useActiveItem(list: ItemList) {
  const [active, setActive] = useState<Active>({ index: 0 })
  const [focusRequest, setFocusRequest] = useState<{ readonly index: number; readonly isScrolling: boolean }>()
  const found =
    active.id === undefined || itemAt(list, active.index)?.id === active.id
      ? active.index
      : indexOfItem(list, active.id)
  const total = useRef(0)
  if (found !== -1) total.current = list.total
  const isGone = found === -1 && !mayStillCome(list, total.current)
  const index = Math.max(0, Math.min(found === -1 ? active.index : found, list.total - 1))
  const id = itemAt(list, index)?.id

  function activate(next: number) {
    setActive({ index: next, id: itemAt(list, next)?.id })
  }

  function requestFocus(next: number, isScrolling = true) {
    activate(next)
    setFocusRequest({ index: next, isScrolling })
  }

  // Keeps the index right for when the item is removed, and adds the id once the item has loaded.
  useEffect(() => {
    if (found !== -1 && id !== undefined && (active.index !== index || (active.id === undefined && index > 0)))
      setActive({ index, id })
  }, [found, active, index, id])

  useEffect(() => {
    if (!isGone || id === undefined) return
    return afterDialogs(() => {
      setActive({ index, id })
      if (document.activeElement === document.body) setFocusRequest({ index, isScrolling: true })
    })
  }, [isGone, index, id])

  return { activeIndex: index, activate, focusRequest, requestFocus }
}

/**
 * Keeps the focus on the active item when it gets another element: it changes rows, or replaces its placeholder. Returns
 * the event handlers of the grid. They don't hear of a blur that such a change causes, because React mutes events then.
 */
export function useKeptFocus(grid: RefObject<HTMLElement | null>, activeIndex: number) {
  const isHeld = useRef(false)
  // Runs after each change of the list, and costs nothing while the focus is where it was.
  useLayoutEffect(() => {
    if (!isHeld.current) return
    const restore = () => {
      if (document.activeElement === document.body) cellOf(grid.current, activeIndex)?.focus({ preventScroll: true })
    }
    restore()
    if (isFocusInDialog()) return afterDialogs(restore)
  })
  return {
    onFocus({ target }: FocusEvent) {
      isHeld.current = target.closest('[data-index]') !== null
    },
    onBlur({ target, relatedTarget }: FocusEvent) {
      // A dialog returns the focus. A window that loses it keeps its focused element.
      isHeld.current = document.activeElement === target || relatedTarget?.closest('[aria-modal]') != null
    },
  }
}

/** Finds the element of an item, or of its placeholder. */
export function cellOf(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null
}
