import { MAX_SEARCH_LENGTH } from '@alcove/contract/limits'
import type { SearchResult } from '@alcove/contract/search'
import { IconSearch } from '@tabler/icons-react'
import {
  type FormEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { lazyModule, useLazyModule } from '../../../lib/lazy-module.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { isKeyTaken } from '../../../ui/dialogs/open-layers.ts'
import { describeResults, findNextResult, optionId } from './result-list.ts'
import styles from './SearchBox.module.css'
import { useSearch } from './use-search.ts'

const searchResults = lazyModule(() => import('./SearchResults.tsx'), 'soon')

interface SearchBoxProps {
  readonly onChoose: (result: SearchResult) => void
}

/** Finds files and folders of the drive by name while the user types. */
export function SearchBox({ onChoose }: SearchBoxProps) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const isWide = useMedia('(min-width: 62em)')
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [activeId, setActiveId] = useState<string>()
  const { text, results, isAnswered, isFailed, askNow } = useSearch(typed)
  const isShown = isOpen && text !== ''
  const shown = isShown && !isFailed ? (results ?? []) : []
  const active = shown.find(({ id }) => id === activeId)
  useSearchKey(input)
  const list = useLazyModule(searchResults, isShown)

  function show(newText: string) {
    setTyped(newText)
    setActiveId(undefined)
    setIsOpen(true)
  }

  function clear() {
    show('')
    input.current?.focus()
  }

  function choose(result: SearchResult) {
    setIsOpen(false)
    setActiveId(undefined)
    onChoose(result)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (active) return choose(active)
    input.current?.focus()
    setIsOpen(true)
    askNow()
  }

  function handleKey(event: ReactKeyboardEvent) {
    if (event.nativeEvent.isComposing) {
      // This Enter confirms a character of an input method.
      if (event.key === 'Enter') event.preventDefault()
      return
    }
    if (event.key === 'Escape' && (isShown || typed !== '')) {
      event.preventDefault()
      event.stopPropagation()
      if (isShown) setIsOpen(false)
      else setTyped('')
      return setActiveId(undefined)
    }
    if (!isShown && event.key === 'ArrowDown') return setIsOpen(true)
    const next = findNextResult(shown, active?.id, event.key)
    if (!next) return
    event.preventDefault()
    setActiveId(next.id)
  }

  return (
    <search onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setIsOpen(false)}>
      <form className={styles.box} onSubmit={submit}>
        <IconSearch className={styles.glass} size={18} stroke={1.75} aria-hidden />
        <input
          ref={input}
          className={styles.input}
          type="text"
          role="combobox"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_SEARCH_LENGTH}
          placeholder={isWide ? 'Search files and folders' : 'Search files'}
          aria-label="Search files and folders"
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={shown.length > 0}
          aria-controls={shown.length > 0 ? listId : undefined}
          aria-activedescendant={active && optionId(listId, active)}
          value={typed}
          onChange={(event) => show(event.currentTarget.value)}
          onClick={() => setIsOpen(true)}
          onKeyDown={handleKey}
        />
        <button className={styles.clear} type="button" onClick={clear}>
          Clear
        </button>
        <button className={styles.submit} type="submit">
          Search
        </button>
        {/* A click in the list must not take the focus from the input, which would close the list. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: nothing is done but not losing the focus */}
        <div onMouseDown={(event) => event.preventDefault()}>
          {isShown && list && (
            <list.SearchResults
              listId={listId}
              text={text}
              results={results}
              isAnswered={isAnswered}
              isFailed={isFailed}
              activeId={active?.id}
              onChoose={choose}
              onActivate={({ id }) => setActiveId(id)}
              onRetry={askNow}
            />
          )}
          <div
            className={isShown && isAnswered && shown.length === 0 ? `${styles.panel} ${styles.note}` : styles.status}
            role="status"
          >
            {isShown && !isFailed && describeResults({ results, isAnswered })}
          </div>
        </div>
      </form>
    </search>
  )
}

/** Focuses the search box on `/`, unless the key is typed into a field or a dialog or menu is open. */
function useSearchKey(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (isKeyTaken(event)) return
      event.preventDefault()
      event.stopPropagation()
      input.current?.focus()
      input.current?.select()
    }
    // In the capture phase, before a list takes it for the first letter of a name. No name contains it.
    document.addEventListener('keydown', handleKey, { capture: true })
    return () => document.removeEventListener('keydown', handleKey, { capture: true })
  }, [input])
}
