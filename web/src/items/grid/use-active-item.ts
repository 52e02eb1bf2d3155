import { useEffect, useState } from 'react'
import { afterDialogs } from '../../ui/dialogs/after-dialogs.ts'
import { type ItemList, indexOfItem, itemAt } from '../lists/item-lists.ts'

interface Active {
  readonly index: number
  /** Unknown while the item there has not been loaded. */
  readonly id?: string
}

/**
 * The one item of a list that Tab reaches, by its place. When it goes, the one that takes its place has its role, and
 * the focus too if that would be lost; `requestFocus` moves both to another place, loaded or not.
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

  // The place is kept up to date, so that it is the right one when the item goes; and one that has loaded has a name.
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
