import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigationType } from 'react-router'
import { recallScroll, rememberScroll } from '../../api/session.ts'
import { afterPaint } from '../../lib/after-paint.ts'
import { type Layout, rowAt, rowAtHeight, rowOfItem } from './layout.ts'

/** How far above and below the window rows are rendered, in pixels, so that a quick scroll finds them there. */
const OVERSCAN = 360

interface Range {
  readonly first: number
  readonly last: number
}

/**
 * Returns the rows of a layout to render while the page scrolls: those in view, some around them, and always the row of
 * the active item, so that the focus is never lost. `top` is where the layout starts, below the top of the page.
 */
export function useVisibleRows(layout: Layout, top: number, activeIndex: number): readonly number[] {
  // If the place is known from the start, the first render has only the rows in view, and the others follow.
  const [overscan, setOverscan] = useState(layout.width > 0 ? 0 : OVERSCAN)
  const [range, setRange] = useState(() => (layout.width > 0 ? rowsInView(layout, top, 0) : { first: 0, last: 0 }))
  const widen = useEffectEvent(() => {
    setOverscan(OVERSCAN)
    setRange(rowsInView(layout, top, OVERSCAN))
  })
  const follow = useEffectEvent((isAtOnce: boolean) => {
    const next = rowsInView(layout, top, overscan)
    if (next.first === range.first && next.last === range.last) return
    // Synchronously, otherwise the next frame would be blank where rows are missing.
    if (isAtOnce) flushSync(() => setRange(next))
    else setRange(next)
  })

  const isPlaced = useRef(layout.width > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what these change
  useLayoutEffect(() => {
    // Reading the scroll position would force a layout in the middle of the first render.
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

/** The height of what covers the top of the window, with a margin, and the margin at the bottom. */
const COVERED_TOP = 84
const FREE_BOTTOM = 24

/** Scrolls the page as little as possible so that an item is in view. */
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

/**
 * Remembers the scroll position of a place, and restores it when Back, Forward or a reload lead there. `isReady` says
 * that the page has its full height.
 */
export function useScrollPlace(place: string, isReady: boolean): void {
  const isReturn = useNavigationType() === 'POP'
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once when the place is ready
  useEffect(() => {
    if (!isReady) return
    let y: number | undefined
    const controller = new AbortController()
    const { signal } = controller
    const follow = () => {
      y = window.scrollY
    }
    const remember = () => y !== undefined && rememberScroll(place, y)
    // In the next frame, once the page has its height. Reading it here would force an extra layout.
    const tick = requestAnimationFrame(() => {
      if (isReturn) window.scrollTo({ top: recallScroll(place), behavior: 'instant' })
      follow()
      window.addEventListener('scroll', follow, { signal, passive: true })
      window.addEventListener('pagehide', remember, { signal })
    })
    return () => {
      cancelAnimationFrame(tick)
      controller.abort()
      remember()
    }
  }, [place, isReady])
}
