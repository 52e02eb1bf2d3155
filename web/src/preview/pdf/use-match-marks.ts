import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { findMatches, type Match } from './find-matches.ts'
import type { PdfMatch, PdfSearchState } from './use-pdf-search.ts'

const ALL = 'pdf-match'
const ACTIVE = 'pdf-active-match'

/** Marks what was found on the pages that are drawn, and brings the place that is looked at into view. */
export function useMatchMarks(scroller: RefObject<HTMLElement | null>, { searched, active }: PdfSearchState) {
  const [drawn, setDrawn] = useState(0)
  const onTextDrawn = useCallback(() => setDrawn((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each page drawn brings new text to mark
  useEffect(() => {
    const element = scroller.current
    if (!element || !searched.trim() || typeof Highlight === 'undefined') return
    const all = new Highlight()
    const activeOnes = new Highlight()
    for (const page of element.querySelectorAll<HTMLElement>('[data-page]')) {
      const isActivePage = Number(page.dataset.page) === active?.page
      for (const [nth, range] of rangesOn(page, searched).entries()) {
        const isActive = isActivePage && nth === active.nth
        ;(isActive ? activeOnes : all).add(range)
      }
    }
    CSS.highlights.set(ALL, all)
    CSS.highlights.set(ACTIVE, activeOnes)
    return () => {
      CSS.highlights.delete(ALL)
      CSS.highlights.delete(ACTIVE)
    }
  }, [scroller, searched, active, drawn])

  // Brought into view once: whoever scrolls on stays where they are when another page is drawn.
  const shown = useRef<PdfMatch>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page may be drawn only after the scroll to it
  useEffect(() => {
    if (active === shown.current) return
    const page = active && scroller.current?.querySelector<HTMLElement>(`[data-page="${active.page}"]`)
    const range = page && rangesOn(page, searched)[active.nth]
    const box = range?.getBoundingClientRect()
    const view = scroller.current?.getBoundingClientRect()
    if (!box || !view) return
    shown.current = active
    if (box.top > view.top + 60 && box.bottom < view.bottom - 80) return
    scroller.current?.scrollBy({ top: box.top - view.top - view.height / 3 })
  }, [scroller, searched, active, drawn])

  return useMemo(
    () => ({
      onTextDrawn,
      isDrawn: (page: number) => scroller.current?.querySelector(`[data-page="${page}"] .textLayer span`) != null,
    }),
    [onTextDrawn, scroller],
  )
}

function rangesOn(page: HTMLElement, query: string): Range[] {
  const layer = page.querySelector('.textLayer')
  if (!layer) return []
  const pieces: { node: Text; start: number }[] = []
  let text = ''
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) {
      pieces.push({ node, start: text.length })
      text += node.data
    } else if (node instanceof HTMLBRElement) text += ' '
  }
  return findMatches(text, query).map((match) => toRange(match, pieces))
}

function toRange({ start, end }: Match, pieces: readonly { node: Text; start: number }[]): Range {
  const range = document.createRange()
  const first = pieces.findLast((piece) => piece.start <= start)
  const last = pieces.findLast((piece) => piece.start < end)
  if (first) range.setStart(first.node, Math.min(first.node.length, start - first.start))
  if (last) range.setEnd(last.node, Math.min(last.node.length, end - last.start))
  return range
}
