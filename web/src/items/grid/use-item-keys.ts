import type { Item } from '@alcove/contract/items'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { isMac } from '../../lib/platform.ts'
import { type ItemList, itemAt } from '../lists/item-lists.ts'
import { nextItem } from '../next-item.ts'
import type { SelectionControl } from '../use-selection.ts'
import type { Layout } from './layout.ts'
import { findInList, isLetter, TYPING_PAUSE } from './type-ahead.ts'

interface Keys {
  readonly list: ItemList
  readonly layout: Layout
  readonly activeIndex: number
  readonly selection: SelectionControl
  readonly onMove: (index: number) => void
  readonly onOpen: (item: Item) => void
  readonly onRename: (item: Item) => void
  readonly onRemove: (item: Item) => void
  readonly onMenu: (item: Item, cell: HTMLElement) => void
  /** Goes to the folder above; absent where there is none. */
  readonly onUp?: () => void
  /** Wants what has not been loaded yet, since a name may be there. */
  readonly onSeek: (isSeeking: boolean) => void
}

/** What the keys do on an item that has the focus. Gives the handler for the element around all items. */
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

  /** `at` is when the key was pressed: a page that is slow to answer is no pause in typing. */
  function type(letter: string, at: number) {
    const isNew = at - typed.current.at > TYPING_PAUSE
    typed.current.text = isNew ? letter : typed.current.text + letter
    typed.current.at = at
    findText(typed.current.text)
  }

  // A name that was typed may be on a page that has come since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when more has been loaded
  useEffect(() => {
    if (typed.current.isSought) findText(typed.current.text)
  }, [list.items])

  return function handleKey(event: KeyboardEvent<HTMLElement>) {
    const { target, key, shiftKey, altKey, timeStamp } = event
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return
    const isControl = isMac ? event.metaKey : event.ctrlKey
    if (altKey || (isMac ? event.ctrlKey : event.metaKey)) return
    const isTyping = timeStamp - typed.current.at < TYPING_PAUSE
    const item = itemAt(list, activeIndex)
    const commands: Record<string, (() => void) | undefined> = {
      Enter: item && (() => keys.onOpen(item)),
      F2: item && (() => keys.onRename(item)),
      Delete: item && (() => keys.onRemove(item)),
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
