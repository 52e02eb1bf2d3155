import type { Item } from '@alcove/contract/items'
import { useEffect, useRef, useState } from 'react'

/** How often it is looked whether the dialog that removed an item has closed, and how long. */
const LOOK_EVERY = 100
const LOOKS = 20

/**
 * The one item of a grid that Tab reaches. When it goes, the one that takes its place has its role, and the focus too
 * if that would be lost; `requestFocus` moves both to another item.
 */
export function useActiveItem(items: readonly Item[], arrivalId?: string) {
  const [wantedId, setActiveId] = useState<string>()
  const [focusRequest, setFocusRequest] = useState<{ id: string }>()
  const lastIndex = useRef(0)
  const index = items.findIndex(({ id }) => id === wantedId)
  const isGone = wantedId !== undefined && index === -1
  const active = items[index === -1 ? Math.min(isGone ? lastIndex.current : 0, items.length - 1) : index]
  const activeId = active?.id

  useEffect(() => {
    if (index !== -1) lastIndex.current = index
  }, [index])

  function requestFocus(id: string) {
    setActiveId(id)
    setFocusRequest({ id })
  }

  useEffect(() => {
    if (arrivalId === undefined) return
    setActiveId(arrivalId)
    setFocusRequest({ id: arrivalId })
  }, [arrivalId])

  useEffect(() => {
    if (!isGone || activeId === undefined) return
    let looks = 0
    const timer = setInterval(() => {
      looks += 1
      if (document.querySelector('[aria-modal]') && looks < LOOKS) return
      clearInterval(timer)
      setActiveId(activeId)
      if (document.activeElement === document.body) setFocusRequest({ id: activeId })
    }, LOOK_EVERY)
    return () => clearInterval(timer)
  }, [isGone, activeId])

  return { activeId, setActiveId, focusRequest, requestFocus }
}
