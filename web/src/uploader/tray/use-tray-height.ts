import { type RefCallback, useCallback } from 'react'

const HEIGHT = '--alcove-tray-height'

/**
 * Tells the page how much of its foot the tray covers, as a CSS variable of the root element: what must stay in view
 * keeps above it. Give what this returns to the tray as its ref.
 */
export function useTrayHeight(): RefCallback<HTMLElement> {
  return useCallback((tray) => {
    if (!tray) return
    const root = document.documentElement
    const measure = () => {
      const { bottom } = getComputedStyle(tray)
      root.style.setProperty(HEIGHT, `${tray.offsetHeight + (Number.parseFloat(bottom) || 0)}px`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(tray)
    return () => {
      observer.disconnect()
      root.style.removeProperty(HEIGHT)
    }
  }, [])
}
