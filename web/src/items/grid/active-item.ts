import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { afterDialogs } from '../../ui/dialogs/open-layers.ts'
import { type ItemList, indexOfItem, itemAt } from '../lists/item-lists.ts'

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
  const isGone = found === -1
  const index = Math.max(0, Math.min(isGone ? active.index : found, list.total - 1))
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
    if (!isGone && id !== undefined && (active.index !== index || (active.id === undefined && index > 0)))
      setActive({ index, id })
  }, [isGone, active, index, id])

  useEffect(() => {
    if (!isGone || id === undefined) return
    return afterDialogs(() => {
      setActive({ index, id })
      if (document.activeElement === document.body) setFocusRequest({ index, isScrolling: true })
    })
  }, [isGone, index, id])

  return { activeIndex: index, activate, focusRequest, requestFocus }
}

/** The router state of a navigation to a folder: which item gets the focus there. */
export interface Arrival {
  /** The id of an item of the folder, or `FIRST_ITEM`. */
  readonly arrivalId: string
}

export const FIRST_ITEM = 'first'

/** Returns which item gets the focus. None after Back and Forward, because these restore the scroll position. */
export function useArrival(): Arrival | undefined {
  const { state } = useLocation()
  const isOurs = useNavigationType() === 'PUSH'
  return isOurs && state ? (state as Arrival) : undefined
}

/** How long the item is marked, in milliseconds. */
const MARKED_FOR = 1600

/**
 * Leads to the item that the user wanted to see, once for each `key`, as soon as it has been loaded. Returns whether the
 * list is still searched for it, and the id of the item to mark for a moment.
 */
export function useArrivedItem(
  list: ItemList,
  arrivalId: string | undefined,
  key: string | undefined,
  onArrive: (index: number) => void,
): { readonly isSought: boolean; readonly markedId: string | undefined } {
  const [done, setDone] = useState<{ readonly id: string; readonly key: string | undefined }>()
  const [unmarked, setUnmarked] = useState(done)
  const isOpen = arrivalId !== undefined && (arrivalId !== done?.id || key !== done.key)
  const index = !isOpen ? -1 : arrivalId === FIRST_ITEM ? 0 : indexOfItem(list, arrivalId)
  const arrive = useEffectEvent(() => {
    if (index === -1 || arrivalId === undefined) return
    onArrive(index)
    setDone({ id: arrivalId, key })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when more has loaded
  useEffect(() => arrive(), [index, arrivalId, key])
  useEffect(() => {
    const timer = setTimeout(() => setUnmarked(done), MARKED_FOR)
    return () => clearTimeout(timer)
  }, [done])
  const isMarked = done !== unmarked && done?.id !== FIRST_ITEM
  return { isSought: isOpen && index === -1, markedId: isMarked ? done?.id : undefined }
}
