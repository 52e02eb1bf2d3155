import type { TrashedItem } from '@alcove/contract/trash'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useWindowRows } from '../../items/grid/use-window-rows.ts'
import { afterDialogs } from '../../ui/dialogs/open-layers.ts'
import { VirtualList, VirtualRow } from '../../ui/VirtualList.tsx'
import styles from './TrashList.module.css'
import { TrashRow } from './TrashRow.tsx'
import { askToDelete, type TrashChanges } from './use-trash-changes.ts'
import type { TrashSelection } from './use-trash-selection.ts'

const ROW_HEIGHT = 61

interface TrashListProps {
  readonly heading: string
  /** Shown if the list is empty. */
  readonly emptyText: string
  readonly items: readonly TrashedItem[]
  readonly selection: TrashSelection
  readonly changes: TrashChanges
}

/** The trashed folders, or the trashed files. Only the rows in view are in the document, however many there are. */
export function TrashList({ heading, emptyText, items, selection, changes }: TrashListProps) {
  const list = useRef<HTMLUListElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const controlAt = (index: number, control: string) =>
    list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-control="${control}"]`)
  const focus = useKeptFocus(items, (index) => {
    ;(controlAt(index, 'restore') ?? title.current)?.focus({ preventScroll: true })
  })
  const { rows, height, top, measure, scrollTo } = useWindowRows(list, items, {
    rowHeight: ROW_HEIGHT,
    keptIndex: focus.index,
  })

  /** Moves the focus to the same control of another row: up, down, Home and End. */
  function moveFocus(event: KeyboardEvent) {
    const { control } = (event.target as HTMLElement).dataset
    const last = items.length - 1
    const targets: Record<string, number> = {
      ArrowDown: Math.min(last, focus.index + 1),
      ArrowUp: Math.max(0, focus.index - 1),
      Home: 0,
      End: last,
    }
    const index = targets[event.key]
    const item = index === undefined ? undefined : items[index]
    if (control === undefined || index === undefined || !item || event.ctrlKey || event.altKey) return
    event.preventDefault()
    focus.setId(item.id) // keeps its row in the document
    scrollTo(index)
    requestAnimationFrame(() => controlAt(index, control)?.focus({ preventScroll: true }))
  }

  async function askAndDelete(item: TrashedItem) {
    if (await askToDelete([item])) void changes.deletePermanently([item])
  }

  return (
    <section className={styles.section}>
      <h2 ref={title} className={styles.heading} tabIndex={-1}>
        {heading}
      </h2>
      {items.length === 0 && <p className={styles.empty}>{emptyText}</p>}
      <VirtualList ref={list} height={height} aria-label={heading} onKeyDown={moveFocus}>
        {rows.map(({ key, index, start }) => {
          const item = items[index]
          return (
            item && (
              <VirtualRow
                key={key}
                ref={measure}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                top={start - top}
                onFocus={() => focus.setId(item.id)}
              >
                <TrashRow
                  item={item}
                  isSelected={selection.ids.has(item.id)}
                  onToggle={(isRange) => selection.toggle(item.id, isRange)}
                  onRestore={() => void changes.restore([item])}
                  onDelete={() => void askAndDelete(item)}
                />
              </VirtualRow>
            )
          )
        })}
      </VirtualList>
    </section>
  )
}

/**
 * Tracks which item of a list has the focus, as its index or -1. When that item is removed, and the focus with it, calls
 * `moveFocus` with the index of the item that has taken its place.
 */
function useKeptFocus(items: readonly { readonly id: string }[], moveFocus: (index: number) => void) {
  const [id, setId] = useState<string>()
  const index = items.findIndex((item) => item.id === id)
  const isGone = id !== undefined && index === -1
  const lastIndex = useRef(0)
  const keep = useEffectEvent(() => {
    if (document.activeElement === document.body) moveFocus(Math.min(lastIndex.current, items.length - 1))
  })

  useEffect(() => {
    if (index !== -1) lastIndex.current = index
  }, [index])

  useEffect(() => {
    if (!isGone) return
    return afterDialogs(() => {
      setId(undefined)
      keep()
    })
  }, [isGone])

  return { index, setId }
}
