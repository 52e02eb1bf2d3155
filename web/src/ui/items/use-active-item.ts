import type { Item } from '@alcove/contract/items'
import { useEffect, useRef, useState } from 'react'
import { afterDialogs } from '../../lib/after-dialogs.ts'

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
    return afterDialogs(() => {
      setActiveId(activeId)
      if (document.activeElement === document.body) setFocusRequest({ id: activeId })
    })
  }, [isGone, activeId])

  return { activeId, setActiveId, focusRequest, requestFocus }
}
