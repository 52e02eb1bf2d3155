import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect } from 'react'
import type { GridColumns, GridRow } from './grid-rows.ts'

interface Grid {
  readonly rows: readonly GridRow[]
  readonly columns: GridColumns
  readonly width: number
  /** Where the grid starts, below the top of the page. */
  readonly top: number
  /** A row that stays in the document wherever the page is scrolled to, or -1. */
  readonly activeRow: number
}

/** The sticky header covers this much of the window's top, with a little air. */
const HEADER = 84

/** Which rows of a grid are in view while the page scrolls. */
export function useGridRows({ rows, columns, width, top, activeRow }: Grid) {
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    scrollMargin: top,
    overscan: 4,
    scrollPaddingStart: HEADER,
    scrollPaddingEnd: 24,
    getItemKey: (index) => keyOf(rows[index]),
    estimateSize: (index) => heightOf(rows[index], columns, width),
    rangeExtractor: (range) => {
      const inView = defaultRangeExtractor(range)
      if (activeRow === -1 || inView.includes(activeRow)) return inView
      return [...inView, activeRow].toSorted((a, b) => a - b)
    },
  })
  useLayoutEffect(() => {
    if (width > 0) virtualizer.measure()
  }, [virtualizer, width])
  return virtualizer
}

function keyOf(row: GridRow | undefined): string {
  return row?.kind === 'heading' ? row.text : (row?.items[0]?.id ?? '')
}

/** How high a row will be, before it has been measured. */
function heightOf(row: GridRow | undefined, columns: GridColumns, width: number): number {
  if (row?.kind === 'folders') return 64 + 12
  if (row?.kind === 'heading') return 32
  const tile = (width - (columns.files - 1) * 14) / columns.files
  return (tile - 16) * 0.75 + 16 + 9 + 38 + 14 + 2
}
