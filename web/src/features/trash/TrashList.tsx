import type { TrashedItem } from '@alcove/contract/trash'
import { type KeyboardEvent, useRef } from 'react'
import { useWindowRows } from '../../items/grid/use-window-rows.ts'
import { askToDelete } from './ask-to-delete.ts'
import styles from './TrashList.module.css'
import { TrashRow } from './TrashRow.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import type { TrashChanges } from './use-trash-changes.ts'
import type { TrashSelection } from './use-trash-selection.ts'

const ROW_HEIGHT = 61

interface TrashListProps {
  readonly heading: string
  /** What stands in its place when there is nothing. */
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

  /** Up and down go to the same control of the next row, Home and End to the first and last. */
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
    if (await askToDelete([item])) void changes.deleteForGood([item])
  }

  return (
    <section className={styles.section}>
      <h2 ref={title} className={styles.heading} tabIndex={-1}>
        {heading}
      </h2>
      {items.length === 0 && <p className={styles.empty}>{emptyText}</p>}
      <ul ref={list} className={styles.list} style={{ height }} aria-label={heading} onKeyDown={moveFocus}>
        {rows.map(({ key, index, start }) => {
          const item = items[index]
          return (
            item && (
              <li
                key={key}
                ref={measure}
                className={styles.item}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start - top}px)` }}
                onFocus={() => focus.setId(item.id)}
              >
                <TrashRow
                  item={item}
                  isSelected={selection.ids.has(item.id)}
                  onToggle={(isRange) => selection.toggle(item.id, isRange)}
                  onRestore={() => void changes.restore([item])}
                  onDelete={() => void askAndDelete(item)}
                />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}
