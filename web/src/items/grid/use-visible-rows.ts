import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterPaint } from '../../lib/after-paint.ts'
import { type Layout, rowAt, rowAtHeight, rowOfItem } from './layout.ts'

/** Rows that are drawn above and below those in view, in pixels, so that a quick turn of the wheel finds them there. */
const OVERSCAN = 360

interface Range {
  readonly first: number
  readonly last: number
}

/**
 * The rows of a layout that are in view while the page scrolls, with some around them, and the row of the active item
 * wherever it is, so that the focus is never lost. `top` is where the layout starts, below the top of the page.
 */
export function useVisibleRows(layout: Layout, top: number, activeIndex: number): readonly number[] {
  // Where its place is known from the start, the first rendering has what is in view, and the rest follows after it.
  const [overscan, setOverscan] = useState(layout.width > 0 ? 0 : OVERSCAN)
  const [range, setRange] = useState(() => (layout.width > 0 ? rowsInView(layout, top, 0) : { first: 0, last: 0 }))
  const widen = useEffectEvent(() => {
    setOverscan(OVERSCAN)
    setRange(rowsInView(layout, top, OVERSCAN))
  })
  const follow = useEffectEvent((isAtOnce: boolean) => {
    const next = rowsInView(layout, top, overscan)
    if (next.first === range.first && next.last === range.last) return
    // At once, or the next picture would have a blank stretch where the rows are not drawn yet.
    if (isAtOnce) flushSync(() => setRange(next))
    else setRange(next)
  })

  const isPlaced = useRef(layout.width > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what these change
  useLayoutEffect(() => {
    // Asking how far the page is scrolled has it laid out, in the middle of its first rendering.
    if (isPlaced.current) isPlaced.current = false
    else follow(false)
  }, [layout, top])

  useEffect(() => {
    if (overscan === 0) return afterPaint(() => startTransition(widen))
  }, [overscan])

  useEffect(() => {
    const onScroll = () => follow(true)
    const controller = new AbortController()
    const options = { passive: true, signal: controller.signal }
    window.addEventListener('scroll', onScroll, options)
    window.addEventListener('resize', onScroll, options)
    return () => controller.abort()
  }, [])

  const rows: number[] = []
  const last = Math.min(range.last, layout.rowCount - 1)
  for (let row = Math.min(range.first, last); row <= last; row++) if (row >= 0) rows.push(row)
  const active = layout.total > 0 ? rowOfItem(layout, activeIndex) : -1
  if (active !== -1 && active < range.first) rows.unshift(active)
  if (active !== -1 && active > last) rows.push(active)
  return rows
}

function rowsInView(layout: Layout, top: number, overscan: number): Range {
  const y = window.scrollY - top
  return {
    first: rowAtHeight(layout, y - overscan),
    last: rowAtHeight(layout, y + window.innerHeight + overscan),
  }
}

/** What covers the top of the window while the page scrolls, with a little air, and what to leave free below. */
const COVERED_TOP = 84
const FREE_BOTTOM = 24

/** Scrolls the page as little as it takes to show an item. */
export function scrollToItem(layout: Layout, top: number, index: number, covered: number): void {
  const row = rowOfItem(layout, index)
  if (row === -1) return
  const { top: rowTop, kind } = rowAt(layout, row)
  const section = layout.sections.find((known) => known.kind === kind)
  const [start, end] = [top + rowTop, top + rowTop + (section?.rowHeight ?? 0)]
  const [highest, lowest] = [window.scrollY + COVERED_TOP + covered, window.scrollY + window.innerHeight - FREE_BOTTOM]
  if (start < highest) window.scrollTo({ top: start - COVERED_TOP - covered, behavior: 'instant' })
  else if (end > lowest) window.scrollTo({ top: end + FREE_BOTTOM - window.innerHeight, behavior: 'instant' })
}
