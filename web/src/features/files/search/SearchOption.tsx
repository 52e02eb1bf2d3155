import type { SearchResult } from '@alcove/contract/search'
import { FileTypeSquare } from '../../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import styles from './SearchBox.module.css'
import { splitAtMatches } from './search-matches.ts'

interface SearchOptionProps {
  readonly id: string
  readonly result: SearchResult
  readonly text: string
  readonly isActive: boolean
  readonly onChoose: (result: SearchResult) => void
  readonly onActivate: (result: SearchResult) => void
}

const typeNames = { folder: 'Folder', file: 'File' }

/** One of the results: icon, name with the matches marked, type and path. */
export function SearchOption({ id, result, text, isActive, onChoose, onActivate }: SearchOptionProps) {
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
        </span>
      </span>
    </div>
  )
}
