import type { SearchResult } from '@alcove/contract/search'
import { Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useDelayed } from '../../../lib/use-delayed.ts'
import { FileTypeSquare } from '../../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { SharedBy } from '../../../ui/SharedBy.tsx'
import { optionId } from './result-list.ts'
import styles from './SearchBox.module.css'
import { splitAtMatches } from './search-matches.ts'

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

/** The loader shows only if the search takes long enough to be noticed, in milliseconds. */
const LOADER_DELAY = 250

/** The panel below the search box: results, a loader or an error. */
export function SearchResults(props: SearchResultsProps) {
  const { listId, text, results = [], isAnswered, isFailed, activeId, onChoose, onActivate, onRetry } = props
  const panel = useRef<HTMLDivElement>(null)
  const isWaiting = !isAnswered && !isFailed && results.length === 0
  const showsLoader = useDelayed(isWaiting, LOADER_DELAY)

  useEffect(() => {
    if (activeId) document.getElementById(`${listId}-${activeId}`)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, listId])

  // The results of another text start at the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the text is another
  useEffect(() => {
    // In braces, because some browsers return a promise, which React would take for a cleanup function.
    panel.current?.scrollTo(0, 0)
  }, [text])

  if (isFailed) {
    return (
      <div className={styles.panel}>
        <LoadError text="The search failed." isBusy={false} onRetry={onRetry} />
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
      {/* The focus stays in the input, which names the active option. */}
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

interface SearchOptionProps {
  readonly id: string
  readonly result: SearchResult
  readonly text: string
  readonly isActive: boolean
  readonly onChoose: (result: SearchResult) => void
  readonly onActivate: (result: SearchResult) => void
}

const typeNames = { folder: 'Folder', file: 'File' }

/** A result: icon, name with highlighted matches, type and path. */
function SearchOption({ id, result, text, isActive, onChoose, onActivate }: SearchOptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the box keeps the focus and has the keys
    <div
      id={id}
      className={styles.option}
      role="option"
      aria-selected={isActive}
      onClick={() => onChoose(result)}
      onPointerMove={() => onActivate(result)}
    >
      <span className={styles.icon}>
        {result.type === 'folder' ? <FolderGlyph size={34} /> : <FileTypeSquare filename={result.name} />}
      </span>
      <span className={styles.details}>
        <bdi className={styles.name} dir="auto" title={result.name}>
          {splitAtMatches(result.name, text).map((piece, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which change all at once
            piece.isMatch ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>,
          )}
        </bdi>
        <span className={styles.place}>
          {typeNames[result.type]}
          {' · '}
          <bdi title={result.path}>{result.path}</bdi>
          {result.sharedBy && (
            <>
              {' · '}
              <SharedBy sharedBy={result.sharedBy} />
            </>
          )}
        </span>
      </span>
    </div>
  )
}
