import type { Item } from '@alcove/contract/items'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { lazyModule, useLazyModule } from '../lib/lazy-module.ts'
import type { Clipboard } from './drag/clipboard.ts'
import type { Everything, ItemActions } from './item-actions.ts'
import styles from './ListFrame.module.css'
import type { ItemList } from './lists/item-lists.ts'
import { useItemShortcuts } from './use-item-shortcuts.ts'
import type { SelectionControl } from './use-selection.ts'

const selectionBar = lazyModule(() => import('./SelectionBar.tsx'), 'soon')

/** What is selected: the items of it that have been loaded, and whether it means more. */
export interface Selected {
  readonly items: readonly Item[]
  readonly everything?: Everything
}

interface ListFrameProps {
  readonly list: ItemList
  readonly selection: SelectionControl
  readonly actions: ItemActions
  /** Absent where nothing can be put. */
  readonly onPaste?: (clipboard: Clipboard) => void
  /** What stands beside the list. */
  readonly details?: (selected: Selected) => ReactNode
  /** The element around the list, and whether something that it would take hangs over it. */
  readonly ref?: RefObject<HTMLDivElement | null>
  readonly isTarget?: boolean
  readonly children: ReactNode
}

/** A list with what is done with what is selected in it: the details beside it, the bar below, the keys. */
export function ListFrame(props: ListFrameProps) {
  const { list, selection, actions, onPaste, details, ref, isTarget, children } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected changes with the list, too
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
