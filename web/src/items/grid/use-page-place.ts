import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/**
 * How wide an element is and how far below the top of the page it starts, in pixels; kept up to date. Before it is in the
 * document, where `findStandIn` is, which stands where it will; 0 without one.
 */
export function usePagePlace(
  ref: RefObject<HTMLElement | null>,
  findStandIn?: () => Element | null,
): { width: number; top: number } {
  const [place, setPlace] = useState(() => {
    const standIn = findStandIn?.()
    return standIn ? placeOf(standIn) : { width: 0, top: 0 }
  })
  const isPlaced = useRef(place.width > 0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const next = placeOf(element)
      setPlace((known) => (known.width === next.width && known.top === next.top ? known : next))
    }
    // Measuring at once lays the page out an extra time; what observes does so when it is laid out anyway.
    if (!isPlaced.current) measure()
    // What stands above may grow: then the whole page does.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return place
}

function placeOf(element: Element): { width: number; top: number } {
  const { width, top } = element.getBoundingClientRect()
  return { width, top: Math.round(top + window.scrollY) }
}
