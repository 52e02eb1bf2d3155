import type { Item } from '@alcove/contract/items'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useMemo } from 'react'
import { isMac } from '../lib/keyboard.ts'
import { lazyModule, useLazyModule } from '../lib/lazy-module.ts'
import { isKeyTaken } from '../ui/dialogs/open-layers.ts'
import { type Clipboard, clearClipboard, getClipboard } from './drag/clipboard.ts'
import type { Everything, ItemActions } from './item-actions.ts'
import styles from './ListFrame.module.css'
import { type ItemList, indexOfItem, itemAt } from './lists/item-lists.ts'
import type { SelectionControl } from './use-selection.ts'

const selectionBar = lazyModule(() => import('./SelectionBar.tsx'), 'soon')

/** What is selected: the selected items that have loaded, and `everything` if the selection reaches beyond them. */
export interface Selected {
  readonly items: readonly Item[]
  readonly everything?: Everything
}

interface ListFrameProps {
  readonly list: ItemList
  readonly selection: SelectionControl
  readonly actions: ItemActions
  /** Absent where items can't be pasted. */
  readonly onPaste?: (clipboard: Clipboard) => void
  /** Renders what is shown beside the list. */
  readonly details?: (selected: Selected) => ReactNode
  /** The element around the list, and whether it would accept the dragged items. */
  readonly ref?: RefObject<HTMLDivElement | null>
  readonly isTarget?: boolean
  readonly children: ReactNode
}

/** Puts the details beside a list and the selection bar below it, and handles the keys for the selection. */
export function ListFrame(props: ListFrameProps) {
  const { list, selection, actions, onPaste, details, ref, isTarget, children } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection also changes with the list
  const selected = useMemo(
    () => ({ items: selection.items(), everything: selection.everything() }),
    [selection, list.items, list.ahead],
  )
  const bar = useLazyModule(selectionBar, selected.items.length > 0)
  useItemShortcuts({ ...selected, shown: list, actions, onPaste })
  return (
    <>
      <div className={styles.frame}>
        <div ref={ref} className={styles.list} data-target={isTarget || undefined}>
          {children}
        </div>
        {details?.(selected)}
      </div>
      {bar && <bar.SelectionBar {...selected} actions={actions} onClear={selection.clear} />}
    </>
  )
}

interface Shortcuts {
  /** The selected items that have loaded. */
  readonly items: readonly Item[]
  readonly everything?: Everything
  /** The list, for finding the focused item while nothing is selected. */
  readonly shown: ItemList
  readonly actions: ItemActions
  /** Absent where items can't be pasted. */
  readonly onPaste?: (clipboard: Clipboard) => void
}

/**
 * Handles the keys that act on the selection, wherever on the page the focus is. Without a selection they act on the
 * focused item. The keys that move the focus or change the selection belong to the grid (`grid-keys.ts`).
 */
function useItemShortcuts(shortcuts: Shortcuts): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isKeyTaken(event)) return
    const command = commandOf(event, shortcuts)
    if (!command) return
    event.preventDefault()
    command()
  })
  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    const clipboard = getClipboard()
    // Files from the computer are uploaded by another listener.
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
  const chosen = items.length > 0 ? items : focusedItem(shown, event.target)
  // The details show a selected item without naming it.
  const toggleDetails = () => actions.toggleDetails?.(items.length === 0 ? chosen[0] : undefined)
  if (event.altKey && event.key === 'Enter') return toggleDetails
  if (event.key === 'Escape' && getClipboard()?.kind === 'cut') return clearClipboard
  if (event.altKey || (event.shiftKey && event.key !== 'Delete')) return undefined
  const key = event.key.toLowerCase()
  if (isMod && key === 'i') return toggleDetails
  if (isMod && isTextSelected()) return undefined
  if (chosen.length === 0) return undefined
  const isDelete = isMac ? event.key === 'Delete' || (isMod && event.key === 'Backspace') : event.key === 'Delete'
  if (isDelete) return actions.remove && (() => actions.remove?.(chosen, everything))
  if (everything) return undefined
  if (isMod && key === 'c' && actions.copy) return () => actions.copy?.(chosen)
  if (isMod && key === 'x' && actions.cut) return () => actions.cut?.(chosen)
  // After drawing a marquee or closing a dialog, no item may have the focus.
  const [only] = items
  if (only && items.length === 1 && event.key === 'F2') return actions.rename && (() => actions.rename?.(only))
  return undefined
}

/** Returns the item that the key was pressed on. */
function focusedItem(shown: ItemList, target: EventTarget | null): Item[] {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-item-id]') : null
  const id = element?.dataset.itemId
  const item = itemAt(shown, indexOfItem(shown, id))
  return item ? [item] : []
}

/** Returns whether text on the page is selected. Then Ctrl+C copies the text. */
function isTextSelected(): boolean {
  const marked = document.getSelection()
  return marked !== null && !marked.isCollapsed && marked.toString() !== ''
}
