import { type RefObject, useLayoutEffect, useState } from 'react'

/** How wide an element is and how far below the top of the page it starts, in pixels; kept up to date. */
export function usePagePlace(ref: RefObject<HTMLElement | null>): { width: number; top: number } {
  const [place, setPlace] = useState({ width: 0, top: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const { width, top } = element.getBoundingClientRect()
      const next = { width, top: Math.round(top + window.scrollY) }
      setPlace((known) => (known.width === next.width && known.top === next.top ? known : next))
    }
    measure()
    // What stands above may grow: then the whole page does.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return place
}
