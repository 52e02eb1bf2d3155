import type { Item } from '@alcove/contract/items'
import { useEffect, useEffectEvent } from 'react'
import { isMac } from '../lib/platform.ts'
import { isKeyTaken } from '../lib/shortcuts.ts'
import { type Clipboard, clearClipboard, getClipboard } from './drag/clipboard.ts'
import type { Everything, ItemActions } from './item-actions.ts'
import { type ItemList, indexOfItem, itemAt } from './lists/item-lists.ts'

interface Shortcuts {
  /** What is selected, as far as it has been loaded. */
  readonly items: readonly Item[]
  readonly everything?: Everything
  /** All that is shown, where the focused item is looked up while nothing is selected. */
  readonly shown: ItemList
  readonly actions: ItemActions
  /** Absent where nothing can be put. */
  readonly onPaste?: (clipboard: Clipboard) => void
}

/**
 * The keys for what is selected, wherever on the page the focus is; without a selection they mean the item that has
 * it. Those that move the focus or change the selection belong to the list itself.
 */
export function useItemShortcuts(shortcuts: Shortcuts): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isKeyTaken(event)) return
    const command = commandOf(event, shortcuts)
    if (!command) return
    event.preventDefault()
    command()
  })
  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    const clipboard = getClipboard()
    // Files of the computer are uploaded, which is not for here.
    if (!clipboard || !shortcuts.onPaste || isKeyTaken(event) || event.clipboardData?.files.length) return
    event.preventDefault()
    shortcuts.onPaste(clipboard)
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => handleKey(event)
    const onPaste = (event: ClipboardEvent) => handlePaste(event)
    document.addEventListener('keydown', onKey)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}

function commandOf(event: KeyboardEvent, { items, everything, shown, actions }: Shortcuts): (() => void) | undefined {
  const isMod = isMac ? event.metaKey : event.ctrlKey
  const chosen = items.length > 0 ? items : focusedItem(shown)
  // What is selected is shown anyway.
  const toggleDetails = () => actions.toggleDetails?.(items.length === 0 ? chosen[0] : undefined)
  if (event.altKey && event.key === 'Enter') return toggleDetails
  if (event.key === 'Escape' && getClipboard()?.kind === 'cut') return clearClipboard
  if (event.shiftKey || event.altKey) return undefined
  const key = event.key.toLowerCase()
  if (isMod && key === 'i') return toggleDetails
  if (isMod && isTextSelected()) return undefined
  if (chosen.length === 0) return undefined
  const isDelete = isMac ? event.key === 'Delete' || (isMod && event.key === 'Backspace') : event.key === 'Delete'
  if (isDelete) return () => actions.remove(chosen, everything)
  if (everything) return undefined
  if (isMod && key === 'c' && actions.copy) return () => actions.copy?.(chosen)
  if (isMod && key === 'x' && actions.cut) return () => actions.cut?.(chosen)
  // After drawing a frame or closing a dialog the focus may be in no item.
  const [only] = items
  if (only && items.length === 1 && event.key === 'F2') return () => actions.rename(only)
  return undefined
}

function focusedItem(shown: ItemList): Item[] {
  const id = document.activeElement?.closest<HTMLElement>('[data-item-id]')?.dataset.itemId
  const item = itemAt(shown, indexOfItem(shown, id))
  return item ? [item] : []
}

/** Text that is marked on the page is what is copied then. */
function isTextSelected(): boolean {
  const marked = document.getSelection()
  return marked !== null && !marked.isCollapsed && marked.toString() !== ''
}
