import type { TrashedItem } from '@alcove/contract/trash'
import { useRef } from 'react'
import { confirm } from '../../ui/confirm.tsx'
import styles from './TrashList.module.css'
import { TrashRow } from './TrashRow.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useDeleteItem, useRestoreItem } from './use-trash-changes.ts'
import { useVisibleRows } from './use-visible-rows.ts'

interface TrashListProps {
  readonly heading: string
  /** What stands in its place when there is nothing. */
  readonly emptyText: string
  readonly items: readonly TrashedItem[]
}

/** The trashed folders, or the trashed files. Only the rows in view are in the document, however many there are. */
export function TrashList({ heading, emptyText, items }: TrashListProps) {
  const list = useRef<HTMLUListElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const focus = useKeptFocus(items, (index) => {
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] button`)
    ;(row ?? title.current)?.focus({ preventScroll: true })
  })
  const { rows, height, top, measure } = useVisibleRows(list, items, focus.index)
  const { mutate: restore } = useRestoreItem()
  const { mutate: deleteForGood } = useDeleteItem()

  return (
    <section className={styles.section}>
      <h2 ref={title} className={styles.heading} tabIndex={-1}>
        {heading}
      </h2>
      {items.length === 0 && <p className={styles.empty}>{emptyText}</p>}
      <ul ref={list} className={styles.list} style={{ height }} aria-label={heading}>
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
                  onRestore={() => restore(item)}
                  onDelete={() => void askAndDelete(item, deleteForGood)}
                />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}

async function askAndDelete(item: TrashedItem, deleteForGood: (item: TrashedItem) => void): Promise<void> {
  const what = item.type === 'file' ? 'this file' : 'this folder and all its contents'
  const isSure = await confirm({
    question: `Are you sure you want to permanently delete ${what}?`,
    detail: `${item.name}. This cannot be undone.`,
    verb: 'Delete Permanently',
  })
  if (isSure) deleteForGood(item)
}
