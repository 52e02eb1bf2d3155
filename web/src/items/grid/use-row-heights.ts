import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { guessHeights, type RowHeights, type RowKind } from './layout.ts'

interface Measured {
  readonly width: number
  readonly heights: Partial<RowHeights>
}

/**
 * How high the rows of each kind are: measured on one of them for each width, since all of a kind are alike, and until
 * then on what stands in for the grid, or as the design has them.
 */
export function useRowHeights(
  grid: RefObject<HTMLElement | null>,
  width: number,
  findStandIn: () => Element | null,
): RowHeights {
  const [measured, setMeasured] = useState<Measured>(() => ({ width, heights: measureRows(findStandIn(), {}) }))
  const known = measured.width === width ? measured.heights : undefined

  // After each render: which kinds of rows there are changes with every turn of the wheel.
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
