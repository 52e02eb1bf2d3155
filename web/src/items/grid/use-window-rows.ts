import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { usePagePlace } from './grid-measures.ts'

interface WindowRows {
  /** The estimated height of a row in pixels, until it is measured. */
  readonly rowHeight: number
  /** A row that stays in the document because it has the focus; -1 for none. */
  readonly keptIndex?: number
}

/** Returns the rows of a list that are in view while the page scrolls. */
export function useWindowRows(
  list: RefObject<HTMLElement | null>,
  items: readonly { readonly id: string }[],
  { rowHeight, keptIndex = -1 }: WindowRows,
) {
  const { top } = usePagePlace(list)
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    scrollMargin: top,
    overscan: 6,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]?.id ?? index,
    rangeExtractor: (range) => {
      const inView = defaultRangeExtractor(range)
      if (keptIndex === -1 || inView.includes(keptIndex)) return inView
      return [...inView, keptIndex].toSorted((a, b) => a - b)
    },
  })
  return {
    rows: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    top,
    measure: virtualizer.measureElement,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  }
}
