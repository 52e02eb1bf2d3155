import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { formatCount } from '../../lib/format.ts'
import { ViewButton } from '../viewer-parts.tsx'
import styles from './PdfSearch.module.css'
import type { PdfSearchState } from './use-pdf-search.ts'

interface PdfSearchProps {
  readonly search: PdfSearchState
  readonly onClose: () => void
}

/** The search field of a PDF. Enter goes to the next match, Shift+Enter to the previous one. */
export function PdfSearch({ search, onClose }: PdfSearchProps) {
  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter') search.go(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <search className={styles.search} data-own-keys>
      <input
        className={styles.field}
        type="search"
        aria-label="Search in this file"
        placeholder="Search in this file"
        // biome-ignore lint/a11y/noAutofocus: the user just opened the search
        autoFocus
        value={search.query}
        onChange={(event) => search.setQuery(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      <span className={styles.count} role="status">
        {describe(search)}
      </span>
      <ViewButton label="Previous match" isDisabled={search.matches.length === 0} onClick={() => search.go(-1)}>
        <IconChevronUp size={20} stroke={1.75} />
      </ViewButton>
      <ViewButton label="Next match" isDisabled={search.matches.length === 0} onClick={() => search.go(1)}>
        <IconChevronDown size={20} stroke={1.75} />
      </ViewButton>
      <ViewButton label="Close search" onClick={onClose}>
        <IconX size={20} stroke={1.75} />
      </ViewButton>
    </search>
  )
}

function describe({ query, matches, activeIndex, isRunning }: PdfSearchState): string {
  if (!query.trim()) return ''
  if (matches.length === 0) return isRunning ? 'Searching…' : 'No results found'
  return `${formatCount(activeIndex + 1)} of ${formatCount(matches.length)}${isRunning ? '+' : ''}`
}
