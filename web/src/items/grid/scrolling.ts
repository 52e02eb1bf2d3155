import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigationType } from 'react-router'
import { recallScroll, rememberScroll } from '../../api/session.ts'
import { afterPaint } from '../../lib/after-paint.ts'
import { isSameView, type Layout, rowAt, rowAtHeight, rowOfItem } from './layout.ts'

/** How far around the window rows are rendered when nothing scrolls, in pixels. */
const OVERSCAN = 360
/** How far ahead of the window rows are rendered while it scrolls, and when the next ones are begun. */
const AHEAD = 1000
const LOW = 500
/** How far around the window rows are rendered in another view or place. More would delay the next frame. */
const AT_ONCE = 60

/** Rows of a layout, both ends included. */
interface Range {
  readonly layout: Layout
  readonly first: number
  readonly last: number
}

/**
 * Returns the rows of a layout to render while the page scrolls: those in view, some around them, and always the row of
 * the active item, so that the focus is never lost. `top` is where the layout starts, below the top of the page.
 */
export function useVisibleRows(layout: Layout, top: number, activeIndex: number): readonly number[] {
  const [range, setRange] = useState(() => (layout.width > 0 ? rowsInView(layout, top) : { layout, first: 0, last: 0 }))
  let shown = range
  if (range.layout !== layout) {
    // Another view or width has other rows. Those out of view follow when these are painted.
    shown = rowsInView(layout, top, isSameView(range.layout, layout) ? OVERSCAN : AT_ONCE)
    setRange(shown)
  }

  const widen = useEffectEvent(() => setRange(rowsInView(layout, top, OVERSCAN)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what these change
  useEffect(() => {
    if (layout.width > 0) return afterPaint(() => startTransition(widen))
  }, [layout, top])

  const lastY = useRef(0)
  const isPreparing = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a range has been rendered
  useEffect(() => {
    isPreparing.current = false
  }, [range])

  const follow = useEffectEvent(() => {
    const isDown = window.scrollY >= lastY.current
    lastY.current = window.scrollY
    const ahead = (distance: number) =>
      isDown ? rowsInView(layout, top, OVERSCAN, distance) : rowsInView(layout, top, distance, OVERSCAN)
    const inView = rowsInView(layout, top)
    if (!contains(range, inView)) {
      const isJump = inView.first > range.last || inView.last < range.first
      // Synchronously, otherwise the next frame would be blank where rows are missing.
      flushSync(() => setRange(isJump ? rowsInView(layout, top, AT_ONCE) : ahead(OVERSCAN)))
    } else if (isPreparing.current || contains(range, ahead(LOW))) return
    // In pieces between frames. Another range meanwhile would begin anew, so that none would be completed.
    isPreparing.current = true
    startTransition(() => setRange(ahead(AHEAD)))
  })

  useEffect(() => {
    const onScroll = () => follow()
    const controller = new AbortController()
    const options = { passive: true, signal: controller.signal }
    window.addEventListener('scroll', onScroll, options)
    window.addEventListener('resize', onScroll, options)
    return () => controller.abort()
  }, [])

  const rows: number[] = []
  const last = Math.min(shown.last, layout.rowCount - 1)
  for (let row = Math.min(shown.first, last); row <= last; row++) if (row >= 0) rows.push(row)
  const active = layout.total > 0 ? rowOfItem(layout, activeIndex) : -1
  if (active !== -1 && active < shown.first) rows.unshift(active)
  if (active !== -1 && active > last) rows.push(active)
  return rows
}

/** How long nothing must scroll until it counts as over, in milliseconds. */
const STILL_FOR = 120

/** Returns whether the page is scrolling. What depends on it when that ends is rendered in pieces between frames. */
export function useIsScrolling(): boolean {
  const [isScrolling, setScrolling] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      clearTimeout(timer)
      timer = setTimeout(() => startTransition(() => setScrolling(false)), STILL_FOR)
      setScrolling(true)
    }
    window.addEventListener('scroll', follow, { passive: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('scroll', follow)
    }
  }, [])
  return isScrolling
}

function rowsInView(layout: Layout, top: number, above = 0, below = above): Range {
  const y = window.scrollY - top
  return {
    layout,
    first: rowAtHeight(layout, y - above),
    last: rowAtHeight(layout, y + window.innerHeight + below),
  }
}

function contains(range: Range, { layout, first, last }: Range): boolean {
  return range.layout === layout && range.first <= first && range.last >= last
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
  // A layout effect ends before the router scrolls to the top of the next place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once when the place is ready
  useLayoutEffect(() => {
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
