import { useDebouncedValue } from '@mantine/hooks'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PdfDocument } from './use-pdf-layout.ts'

/** A match: its page, and its index on that page. */
interface PdfMatch {
  readonly page: number
  readonly nth: number
}

export interface PdfSearchState {
  readonly query: string
  /** The text that `matches` belong to. */
  readonly searched: string
  readonly matches: readonly PdfMatch[]
  readonly active?: PdfMatch
  readonly activeIndex: number
  readonly isRunning: boolean
  readonly setQuery: (query: string) => void
  readonly go: (by: 1 | -1) => void
}

const MAX_MATCHES = 5000
const MAX_PER_PAGE = 1000
/** The matches found so far are shown after this many pages. */
const PAGES_AT_ONCE = 20

/** Searches the text of all pages, including those that are not rendered. */
export function usePdfSearch(pdf: PdfDocument, isOpen: boolean): PdfSearchState {
  const [typed, setQuery] = useState('')
  const query = isOpen ? typed : ''
  const [settled] = useDebouncedValue(query, 200)
  const searched = query && settled // a cleared or closed search ends at once
  const [matches, setMatches] = useState<readonly PdfMatch[]>([])
  const [place, setPlace] = useState({ index: 0 })
  const [isRunning, setIsRunning] = useState(false)
  const texts = useRef(new Map<number, string>())

  useEffect(() => {
    setMatches([])
    setPlace({ index: 0 })
    if (!searched.trim()) return
    let isWanted = true
    const run = async () => {
      const found: PdfMatch[] = []
      setIsRunning(true)
      for (let page = 1; page <= pdf.numPages && isWanted && found.length < MAX_MATCHES; page += 1) {
        const text = texts.current.get(page) ?? (await readPage(pdf, page))
        texts.current.set(page, text)
        found.push(...findMatches(text, searched, MAX_PER_PAGE).map((_match, nth) => ({ page, nth })))
        if (isWanted && page % PAGES_AT_ONCE === 0) setMatches([...found])
      }
      if (!isWanted) return
      setMatches(found)
      setIsRunning(false)
    }
    void run()
    return () => {
      isWanted = false
      setIsRunning(false)
    }
  }, [pdf, searched])

  const count = matches.length
  const match = matches[place.index]
  // A new object for each step, so that going to the only match scrolls to it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object for each step
  const active = useMemo(() => match && { ...match }, [match, place])
  return useMemo(
    () => ({
      query,
      searched,
      matches,
      active,
      activeIndex: place.index,
      isRunning,
      setQuery,
      go: (by) => setPlace(({ index }) => ({ index: count === 0 ? 0 : (index + by + count) % count })),
    }),
    [query, searched, matches, active, place, isRunning, count],
  )
}

/** Returns the text of a page as in its text layer, with a space for each line break. */
async function readPage(pdf: PdfDocument, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join('')
  } catch {
    return '' // a damaged page has no text
  }
}

const ALL_MATCHES = 'pdf-match'
const ACTIVE_MATCH = 'pdf-active-match'

/** Highlights the matches on the rendered pages and scrolls the active one into view. */
export function useMatchMarks(scroller: RefObject<HTMLElement | null>, { searched, active }: PdfSearchState) {
  const [drawn, setDrawn] = useState(0)
  const onTextDrawn = useCallback(() => setDrawn((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each rendered page adds text to highlight
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
    CSS.highlights.set(ALL_MATCHES, all)
    CSS.highlights.set(ACTIVE_MATCH, activeOnes)
    return () => {
      CSS.highlights.delete(ALL_MATCHES)
      CSS.highlights.delete(ACTIVE_MATCH)
    }
  }, [scroller, searched, active, drawn])

  // Scrolls only once, so that the user can scroll on while more pages are rendered.
  const shown = useRef<PdfMatch>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page may be rendered only after scrolling to it
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

/** A range of a text: from `start` up to `end`, exclusive. */
interface Match {
  readonly start: number
  readonly end: number
}

/** Finds a query in a text. Case, accents and the kind of whitespace don't matter. */
export function findMatches(text: string, query: string, max = Number.POSITIVE_INFINITY): Match[] {
  const words = query.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const pattern = new RegExp(words.map((word) => escapeSigns(fold(word))).join('\\s+'), 'g')
  const matches: Match[] = []
  for (const { 0: found, index } of fold(text).matchAll(pattern)) {
    if (matches.length >= max) break
    matches.push({ start: index, end: index + found.length })
  }
  return matches
}

/** Returns the text in lower case without accents. Its length doesn't change, so that positions stay valid. */
function fold(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII
  const plain = text.replace(/[^\x00-\x7f]/g, (sign) => {
    const base = (sign.normalize('NFD')[0] ?? sign).toLowerCase()
    return base.length === 1 ? base : sign
  })
  return plain.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function escapeSigns(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
