import { useEffect, useRef } from 'react'

/**
 * Keeps the page below out of reach and still while something lies over it. Afterwards the focus is where the tile of
 * the item last shown is, or else where it was before.
 */
export function useOverPage(itemId: string | undefined): void {
  const lastId = useRef(itemId)
  useEffect(() => {
    if (itemId !== undefined) lastId.current = itemId
  }, [itemId])

  useEffect(() => {
    const root = document.getElementById('root')
    const page = document.documentElement
    const before = document.activeElement
    const { overflow, scrollbarGutter } = page.style
    const hasScrollbar = window.innerWidth > page.clientWidth
    page.style.overflow = 'hidden'
    if (hasScrollbar) page.style.scrollbarGutter = 'stable'
    if (root) root.inert = true
    return () => {
      page.style.overflow = overflow
      page.style.scrollbarGutter = scrollbarGutter
      if (root) root.inert = false
      focusItem(lastId.current, before)
    }
  }, [])
}

function focusItem(id: string | undefined, before: Element | null): void {
  const tile = id === undefined ? null : document.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(id)}"]`)
  if (tile) tile.focus({ preventScroll: true })
  else if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}
