import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { DocumentCallback, PageCallback } from 'react-pdf/dist/shared/types.js'
import { useBoxSize } from '../viewer-parts.tsx'

export type PdfDocument = DocumentCallback
type PdfPage = PageCallback

interface PageSize {
  readonly width: number
  readonly height: number
}

/** The gap between two pages, in the unit of the pages, so that it is scaled with them. */
const GAP = 10
const MARGIN = 24
const MAX_FIT_WIDTH = 940
const MIN_ZOOM = 0.25
const MAX_ZOOM = 6
const STEP = 1.25

/**
 * Computes the position and scale of the pages of a PDF. A page is assumed to be as large as the first one until it is
 * loaded.
 */
export function usePdfLayout(pdf: PdfDocument, scroller: RefObject<HTMLElement | null>) {
  const box = useBoxSize(scroller)
  const [first, setFirst] = useState<PageSize>()
  const sizes = useRef(new Map<number, PageSize>())
  const [zoom, setZoom] = useState(1)
  useEffect(() => {
    void pdf.getPage(1).then(
      (page) => {
        const { width, height } = page.getViewport({ scale: 1 })
        setFirst({ width, height })
      },
      () => setFirst({ width: 595, height: 842 }),
    )
  }, [pdf])

  const margin = box.width < 576 ? 8 : MARGIN
  const fit = first && box.width > 0 ? Math.min(box.width - 2 * margin, MAX_FIT_WIDTH) / first.width : 0
  const scale = fit * zoom
  const sizeOf = (index: number): PageSize => sizes.current.get(index) ?? first ?? { width: 0, height: 0 }

  const virtualizer = useVirtualizer({
    count: scale > 0 ? pdf.numPages : 0,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (sizeOf(index).height + GAP) * scale,
    overscan: 1,
    paddingStart: 12,
    paddingEnd: 76,
  })

  // Keeps the center of the view in place when the scale changes.
  const scaleBefore = useRef(scale)
  useLayoutEffect(() => {
    const element = scroller.current
    const ratio = scaleBefore.current > 0 ? scale / scaleBefore.current : 1
    scaleBefore.current = scale
    if (!element || ratio === 1) return
    const half = { x: element.clientWidth / 2, y: element.clientHeight / 2 }
    const { scrollLeft, scrollTop } = element
    virtualizer.measure()
    requestAnimationFrame(() => {
      element.scrollTop = (scrollTop + half.y) * ratio - half.y
      element.scrollLeft = (scrollLeft + half.x) * ratio - half.x
    })
  }, [scale, scroller, virtualizer])

  const middle = (virtualizer.scrollOffset ?? 0) + box.height / 2
  return {
    virtualizer,
    scale,
    sizeOf,
    margin,
    pageNumber: (virtualizer.getVirtualItemForOffset(middle)?.index ?? 0) + 1,
    noteSize: (index: number, page: PdfPage) => {
      const { originalWidth: width, originalHeight: height } = page
      const known = sizeOf(index)
      if (known.width === width && known.height === height) return
      sizes.current.set(index, { width, height })
      virtualizer.resizeItem(index, (height + GAP) * scale)
    },
    goTo: (page: number) => virtualizer.scrollToIndex(page - 1, { align: 'start' }),
    zoomIn: () => setZoom((now) => Math.min(MAX_ZOOM, now * STEP)),
    zoomOut: () => setZoom((now) => Math.max(MIN_ZOOM, now / STEP)),
    fitWidth: () => setZoom(1),
  }
}
