import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { usePagePlace } from '../../lib/use-page-place.ts'

const ROW_HEIGHT = 61

/** Which rows of a list are in view while the page scrolls; the row at `keptIndex` stays in the document anyway. */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  items: readonly { readonly id: string }[],
  keptIndex: number,
) {
  const { top } = usePagePlace(list)
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    scrollMargin: top,
    overscan: 6,
    estimateSize: () => ROW_HEIGHT,
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
