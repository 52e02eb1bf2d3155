import type { Item } from '@alcove/contract/items'
import { Transition, VisuallyHidden } from '@mantine/core'
import {
  IconDownload,
  IconFolderSymlink,
  IconHeart,
  IconHeartFilled,
  IconTrash,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { formatCount, formatSize, plural } from '../lib/format.ts'
import type { Everything, ItemActions } from './item-actions.ts'
import { allowedActions } from './menu/allowed-actions.ts'
import styles from './SelectionBar.module.css'
import { bytesSelected } from './selection.ts'

interface SelectionBarProps {
  /** The selected items that have loaded. */
  readonly items: readonly Item[]
  readonly everything?: Everything
  readonly actions: ItemActions
  readonly onClear: () => void
}

/** The actions for the selection, at the bottom of the screen. */
export function SelectionBar({ items, everything, actions, onClear }: SelectionBarProps) {
  const count = everything?.count ?? items.length
  const size = sizeOf(items, everything)
  // While the bar slides out, it keeps its last text.
  const last = useRef({ count, size })
  if (count > 0) last.current = { count, size }
  return (
    <>
      <VisuallyHidden role="status">
        {count > 0 && `${plural(count, 'item')} selected${size && `, ${size}`}`}
      </VisuallyHidden>
      <Transition mounted={count > 0} transition="slide-up" duration={180} exitDuration={120}>
        {(style) => (
          <div className={styles.place}>
            <Bar
              style={style}
              count={last.current.count}
              size={last.current.size}
              items={items}
              everything={everything}
              actions={actions}
              onClear={onClear}
            />
          </div>
        )}
      </Transition>
    </>
  )
}

interface BarProps extends SelectionBarProps {
  readonly style: CSSProperties
  readonly count: number
  readonly size: string
}

function Bar({ style, count, size, items, everything, actions, onClear }: BarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const { move, copyTo, remove, toggleFavorite } = allowedActions(items, actions)
  const carry = move ?? copyTo
  const isFavorite = items.length > 0 && items.every((item) => item.isFavorite)
  useFocusBack(bar)
  useRoomForToasts(bar)
  return (
    <div ref={bar} className={styles.bar} style={style} role="toolbar" aria-label="Selected items" onKeyDown={walk}>
      <p className={styles.count}>
        <strong>{formatCount(count)} selected</strong> {size && <span className={styles.size}>{size}</span>}
      </p>
      <Command label="Download" count={count} Icon={IconDownload} onClick={() => actions.download(items, everything)} />
      {carry && (
        <Command
          label={move ? 'Move' : 'Copy'}
          count={count}
          Icon={IconFolderSymlink}
          onClick={() => carry(items, everything)}
        />
      )}
      {toggleFavorite && (
        <Command
          label="Favorite"
          count={count}
          Icon={isFavorite ? IconHeartFilled : IconHeart}
          isPressed={isFavorite}
          onClick={() => toggleFavorite(items, !isFavorite, everything)}
        />
      )}
      {remove && (
        <Command label="Delete" count={count} Icon={IconTrash} isDangerous onClick={() => remove(items, everything)} />
      )}
      <button
        type="button"
        className={styles.clear}
        aria-label="Clear the selection"
        title="Clear the selection"
        onClick={onClear}
      >
        <IconX size={18} stroke={1.75} aria-hidden />
      </button>
    </div>
  )
}

interface CommandProps {
  readonly label: string
  /** The number of items it acts on. */
  readonly count: number
  readonly Icon: TablerIcon
  readonly isPressed?: boolean
  readonly isDangerous?: boolean
  readonly onClick: () => void
}

function Command({ label, count, Icon, isPressed, isDangerous, onClick }: CommandProps) {
  return (
    <button
      type="button"
      className={styles.command}
      data-dangerous={isDangerous}
      // The verb alone would be the same name as that of a dialog's button.
      aria-label={`${label} ${plural(count, 'item')}`}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>{label}</span>
    </button>
  )
}

/** Moves the focus between the commands with the arrow keys, as in any toolbar. */
function walk({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const commands: (Element | null)[] = [...currentTarget.querySelectorAll('button')]
  const index = commands.indexOf(document.activeElement)
  const next = commands.at((index + step) % commands.length)
  if (next instanceof HTMLElement) next.focus()
}

/** Describes the size of the selection. The sizes of folders aren't known here, so they are counted. */
function sizeOf(items: readonly Item[], everything: Everything | undefined): string {
  if (everything) return ''
  const folders = items.reduce((count, { type }) => count + (type === 'folder' ? 1 : 0), 0)
  if (folders === items.length) return ''
  const size = formatSize(bytesSelected(items))
  return folders > 0 ? `${size} + ${plural(folders, 'folder')}` : size
}

/** Returns the focus to the active item if the bar has it when it disappears. */
function useFocusBack(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      document.querySelector<HTMLElement>('main [data-item-id][tabindex="0"]')?.focus({ preventScroll: true })
    }
  }, [bar])
}

/**
 * Marks the document while the bar is shown, and publishes its height as a CSS variable, so that toasts appear above it.
 * Every element inherits the variable, so changing it restyles the whole page: it keeps its value without the bar.
 */
function useRoomForToasts(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current
    if (!element) return
    const root = document.documentElement
    const observer = new ResizeObserver(() => {
      const height = `${element.offsetHeight + 20}px`
      if (getComputedStyle(root).getPropertyValue(HEIGHT) !== height) root.style.setProperty(HEIGHT, height)
    })
    observer.observe(element)
    root.dataset.selectionBar = 'shown'
    return () => {
      observer.disconnect()
      delete root.dataset.selectionBar
    }
  }, [bar])
}

const HEIGHT = '--alcove-bar-height'
