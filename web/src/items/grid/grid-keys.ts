import type { Item } from '@alcove/contract/items'
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import { isMac } from '../../lib/keyboard.ts'
import { isKeyTaken } from '../../ui/dialogs/open-layers.ts'
import { type ItemList, itemAt } from '../lists/item-lists.ts'
import type { SelectionControl } from '../use-selection.ts'
import { type Layout, type Row, rowAt, rowOfItem, type Section, sectionOf } from './layout.ts'
import { findInList, isLetter, TYPING_PAUSE } from './type-ahead.ts'

interface Keys {
  readonly list: ItemList
  readonly layout: Layout
  readonly activeIndex: number
  readonly selection: SelectionControl
  readonly onMove: (index: number) => void
  readonly onOpen: (item: Item) => void
  readonly onRename?: (item: Item) => void
  readonly onMenu: (item: Item, cell: HTMLElement) => void
  /** Goes to the parent folder; absent at the root. */
  readonly onUp?: () => void
  /** Requests the items that haven't loaded, because the typed name may be among them. */
  readonly onSeek: (isSeeking: boolean) => void
}

/** Returns the key handler of the grid, for keys that are pressed on an item. */
export function useItemKeys(keys: Keys) {
  const { list, layout, activeIndex, selection } = keys
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY, isSought: false })

  function moveTo(index: number, { shiftKey, isControl }: { shiftKey: boolean; isControl: boolean }) {
    if (shiftKey) {
      if (selection.current().anchorId === undefined) selectActive()
      selection.selectTo(index)
    } else if (!isControl) {
      const item = itemAt(list, index)
      if (item) selection.choose(item.id)
    }
    keys.onMove(index)
  }

  function selectActive() {
    const item = itemAt(list, activeIndex)
    if (item) selection.choose(item.id)
  }

  function findText(text: string): boolean {
    const index = findInList(list, text, activeIndex)
    typed.current.isSought = index === -1 && list.nextCursor !== null
    keys.onSeek(typed.current.isSought)
    if (index !== -1) moveTo(index, { shiftKey: false, isControl: false })
    return index !== -1
  }

  /** `at` is when the key was pressed, so that a slow page doesn't count as a pause in typing. */
  function type(letter: string, at: number) {
    const isNew = at - typed.current.at > TYPING_PAUSE
    typed.current.text = isNew ? letter : typed.current.text + letter
    typed.current.at = at
    findText(typed.current.text)
  }

  // The typed name may be on a page that has loaded since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when more has been loaded
  useEffect(() => {
    if (typed.current.isSought) findText(typed.current.text)
  }, [list.items])

  return function handleKey(event: ReactKeyboardEvent<HTMLElement>) {
    const { target, key, shiftKey, altKey, timeStamp } = event
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return
    const isControl = isMac ? event.metaKey : event.ctrlKey
    if (altKey || (isMac ? event.ctrlKey : event.metaKey)) return
    const isTyping = timeStamp - typed.current.at < TYPING_PAUSE
    const item = itemAt(list, activeIndex)
    const commands: Record<string, (() => void) | undefined> = {
      Enter: item && (() => keys.onOpen(item)),
      // A single selected item may be another one than the focused one.
      F2: selection.count === 1 ? undefined : item && (() => keys.onRename?.(item)),
      ContextMenu: item && (() => keys.onMenu(item, target)),
      Backspace: keys.onUp,
      ' ': isTyping && !isControl ? () => type(' ', timeStamp) : item && (() => selection.toggle(item.id)),
    }
    const command = commands[key === 'F10' && shiftKey ? 'ContextMenu' : key]
    const next = nextItem(layout, activeIndex, key, isControl, window.innerHeight - 160)
    if (next !== undefined) moveTo(next, { shiftKey, isControl })
    else if (command) command()
    else if (isLetter(key) && !isControl) type(key, timeStamp)
    else return
    event.preventDefault()
    typed.current.isSought &&= isLetter(key)
  }
}

/**
 * Returns the index that a key moves to, or undefined if the key doesn't move. Up and Down stay in the column, also
 * between folders and files, whose columns have different widths.
 */
export function nextItem(
  layout: Layout,
  from: number,
  key: string,
  isControl: boolean,
  pageHeight: number,
): number | undefined {
  const last = layout.total - 1
  if (last < 0) return undefined
  const row = rowOfItem(layout, from)
  const { start, end } = rowAt(layout, row)
  const { rowHeight } = sectionOf(layout, from) as Section
  const page = Math.max(1, Math.floor(pageHeight / rowHeight))
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1)
    case 'ArrowRight':
      return Math.min(last, from + 1)
    case 'ArrowUp':
      return itemBelow(layout, from, -1)
    case 'ArrowDown':
      return itemBelow(layout, from, 1)
    case 'PageUp':
      return itemBelow(layout, from, -page)
    case 'PageDown':
      return itemBelow(layout, from, page)
    case 'Home':
      return isControl || end - start === 1 ? 0 : start
    case 'End':
      return isControl || end - start === 1 ? last : end - 1
    default:
      return undefined
  }
}

/** Returns the item `steps` rows below: in the same column, or the last one of a row that is shorter. */
function itemBelow(layout: Layout, from: number, steps: number): number {
  const row = rowOfItem(layout, from)
  const { start, columns } = rowAt(layout, row)
  const target = itemRowFrom(layout, row, steps)
  const place = (from - start) / columns
  return Math.min(target.end - 1, target.start + Math.floor(place * target.columns))
}

function itemRowFrom(layout: Layout, row: number, steps: number): Row {
  const direction = Math.sign(steps)
  let found = row
  for (let next = row, left = Math.abs(steps); left > 0; ) {
    next += direction
    if (next < 0 || next >= layout.rowCount) break
    if (rowAt(layout, next).kind === 'heading') continue
    found = next
    left -= 1
  }
  return rowAt(layout, found)
}

interface PageKeys {
  readonly onSelectAll: () => void
  readonly onClear: () => void
}

/** Handles the keys for the whole list, wherever on the page the focus is. */
export function usePageKeys({ onSelectAll, onClear }: PageKeys): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.shiftKey || isKeyTaken(event)) return
    const isControl = isMac ? event.metaKey : event.ctrlKey
    if (event.key === 'Escape') onClear()
    else if (isControl && event.key.toLowerCase() === 'a') {
      event.preventDefault()
      onSelectAll()
    }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
