import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { guessHeights, type RowHeights, type RowKind } from './layout.ts'

/**
 * Measures the width of an element and its distance from the top of the page, in pixels. Before the element is in the
 * document, measures the one that `findStandIn` returns, which is in the same place; without one, returns 0.
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
    // Measuring here forces an extra layout. The observer measures after the regular one.
    if (!isPlaced.current) measure()
    // Elements above may grow, and the page with them.
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

interface Measured {
  readonly width: number
  readonly heights: Partial<RowHeights>
}

/**
 * Returns the row height of each kind. For each width, one row of the kind is measured, because all are the same. Until
 * then, the height is that in the stand-in for the grid, or a guess from the design.
 */
export function useRowHeights(
  grid: RefObject<HTMLElement | null>,
  width: number,
  findStandIn: () => Element | null,
): RowHeights {
  const [measured, setMeasured] = useState<Measured>(() => ({ width, heights: measureRows(findStandIn(), {}) }))
  const known = measured.width === width ? measured.heights : undefined

  // After each render, because scrolling can bring another kind of row.
  useLayoutEffect(() => {
    const found = measureRows(grid.current, known ?? {})
    if (width > 0 && Object.keys(found).length > 0) setMeasured({ width, heights: { ...known, ...found } })
  })

  return useMemo(() => ({ ...guessHeights(width), ...known }), [width, known])
}

function measureRows(grid: Element | null, known: Partial<RowHeights>): Partial<RowHeights> {
  const found: Partial<Record<RowKind, number>> = {}
  for (const row of grid?.querySelectorAll<HTMLElement>('[data-sample]') ?? []) {
    const kind = row.dataset.kind as RowKind
    if (known[kind] === undefined && found[kind] === undefined) found[kind] = row.offsetHeight
  }
  return found
}
