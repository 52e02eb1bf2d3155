import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import { findMatches } from './find-matches.ts'
import type { PdfDocument } from './pdf-types.ts'

/** One place where the text was found: the page, and which of its places. */
export interface PdfMatch {
  readonly page: number
  readonly nth: number
}

export interface PdfSearchState {
  readonly query: string
  /** What the places were searched for. */
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
/** After so many pages what was found is shown. */
const PAGES_AT_ONCE = 20

/** Searches the text of all pages, also of those not yet drawn. */
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
  // A new object for each step, so that going to the only place there is goes there again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step counts
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

/** The text of a page as its text layer has it: piece after piece, a blank for the end of a line. */
async function readPage(pdf: PdfDocument, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join('')
  } catch {
    return '' // a broken page has no text to find
  }
}
