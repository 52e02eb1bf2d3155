import type { SearchResult } from '@alcove/contract/search'
import { Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useDelayed } from '../../../lib/use-delayed.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import styles from './SearchBox.module.css'
import { SearchOption } from './SearchOption.tsx'
import { optionId } from './search-texts.ts'

interface SearchResultsProps {
  readonly listId: string
  readonly text: string
  readonly results: readonly SearchResult[] | undefined
  readonly isAnswered: boolean
  readonly isFailed: boolean
  readonly activeId: string | undefined
  readonly onChoose: (result: SearchResult) => void
  readonly onActivate: (result: SearchResult) => void
  readonly onRetry: () => void
}

/** Waiting is shown only when it takes long enough to be noticed. */
const LOADER_DELAY = 250

/** What drops from the search box: the results, that there are none, that they are being waited for, or what went wrong. */
export function SearchResults(props: SearchResultsProps) {
  const { listId, text, results = [], isAnswered, isFailed, activeId, onChoose, onActivate, onRetry } = props
  const panel = useRef<HTMLDivElement>(null)
  const isWaiting = !isAnswered && !isFailed && results.length === 0
  const showsLoader = useDelayed(isWaiting, LOADER_DELAY)

  useEffect(() => {
    if (activeId) document.getElementById(`${listId}-${activeId}`)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, listId])

  // Another text's results begin at the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the text is another
  useEffect(() => {
    // In braces: some browsers answer with a promise, which is no way to undo an effect.
    panel.current?.scrollTo(0, 0)
  }, [text])

  if (isFailed) {
    return (
      <div className={styles.panel}>
        <LoadError text="The search could not be done." isBusy={false} onRetry={onRetry} />
      </div>
    )
  }
  if (showsLoader) {
    return (
      <div className={`${styles.panel} ${styles.note}`}>
        <Loader size={18} aria-hidden />
        Searching…
      </div>
    )
  }
  if (results.length === 0) return null
  return (
    <div className={styles.panel} ref={panel}>
      {/* Focus stays in the box: the list tells which option is the current one. */}
      <div id={listId} role="listbox" aria-label="Search results">
        {results.map((result) => (
          <SearchOption
            key={result.id}
            id={optionId(listId, result)}
            result={result}
            text={text}
            isActive={result.id === activeId}
            onChoose={onChoose}
            onActivate={onActivate}
          />
        ))}
      </div>
    </div>
  )
}
