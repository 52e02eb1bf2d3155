import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { columnsFor, GAPS, type RowHeights, type RowKind } from './layout.ts'

interface Measured {
  readonly width: number
  readonly heights: Partial<RowHeights>
}

/**
 * How high the rows of each kind are: measured on one of them for each width, since all of a kind are alike, and until
 * then as the design has them.
 */
export function useRowHeights(grid: RefObject<HTMLElement | null>, width: number): RowHeights {
  const [measured, setMeasured] = useState<Measured>({ width, heights: {} })
  const known = measured.width === width ? measured.heights : undefined

  // After each render: which kinds of rows there are changes with every turn of the wheel.
  useLayoutEffect(() => {
    const found: Partial<Record<RowKind, number>> = {}
    for (const row of grid.current?.querySelectorAll<HTMLElement>('[data-sample]') ?? []) {
      const kind = row.dataset.kind as RowKind
      if (known?.[kind] === undefined && found[kind] === undefined) found[kind] = row.offsetHeight
    }
    if (width > 0 && Object.keys(found).length > 0) setMeasured({ width, heights: { ...known, ...found } })
  })

  return useMemo(() => ({ ...estimate(width), ...known }), [width, known])
}

function estimate(width: number): RowHeights {
  const { files } = columnsFor(width)
  const tile = (width - (files - 1) * GAPS.files) / files
  return { heading: 32, folders: 64 + GAPS.folders, files: (tile - 16) * 0.75 + 65 + GAPS.files, list: 48 }
}
