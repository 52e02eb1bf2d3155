import type { Item } from '@alcove/contract/items'
import { MAX_SELECTED_ITEMS } from '@alcove/contract/limits'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Everything } from './item-actions.ts'
import { type ItemList, indexOfItem, itemAt, itemsBetween, knownItems, mayStillCome } from './lists/item-lists.ts'
import {
  chooseItem,
  countSelected,
  isSelected,
  keepExisting,
  NO_SELECTION,
  type Selection,
  selectAll,
  selectInFrame,
  selectRange,
  toggleItem,
} from './selection.ts'

/** The selection of a list, and the functions that change it. They stay the same as long as the list is shown. */
export interface SelectionControl {
  readonly selection: Selection
  /** How many items are selected. */
  readonly count: number
  readonly choose: (id: string) => void
  readonly toggle: (id: string) => void
  /** Selects from the anchor to an index, loaded or not. */
  readonly selectTo: (index: number) => void
  readonly all: () => void
  readonly clear: () => void
  /** Selects the items in a frame. `before` was selected when the frame was begun. */
  readonly frame: (before: Selection, ids: Iterable<string>, isAdding: boolean) => void
  readonly current: () => Selection
  /** Whether the selection contains items that haven't loaded, or not in this order. */
  readonly isReaching: () => boolean
  /** The selected items that have loaded, in the order of the list. Those that haven't in this order are the last. */
  readonly items: () => readonly Item[]
  /** Everything in the folder, if that is selected and there are too many items to send their ids. */
  readonly everything: () => Everything | undefined
}

/** The folder whose items a list shows; without an id it is the root. */
export interface ShownFolder {
  readonly id: string | undefined
}

/**
 * Keeps the selection of a list. A new `key` means another list and clears the selection. Without a `folder` the list is
 * not the contents of one, and everything means the items it has.
 */
export function useSelection(list: ItemList, key: string, folder?: ShownFolder): SelectionControl {
  const [state, setState] = useState({ key, selection: NO_SELECTION })
  const selection = state.key === key ? state.selection : NO_SELECTION
  // A list that is shown again has no selection, not even the folder that was opened from it.
  if (state.key !== key) setState({ key, selection: NO_SELECTION })
  const latest = useRef({ list, key, selection, folder, awaited: NONE_AWAITED })
  const { list: before, awaited: earlier } = latest.current
  const awaited = before === list ? earlier : findAwaited(list, before, selection, earlier)
  latest.current = { list, key, selection, folder, awaited }
  /** The end of a range that contains items that haven't loaded. */
  const openRange = useRef<number>(undefined)

  const operations = useMemo(() => {
    const set = (next: Selection) => {
      latest.current.selection = next
      setState({ key: latest.current.key, selection: next })
    }
    const setAlone = (next: Selection) => {
      openRange.current = undefined
      set(next)
    }
    const selectTo = (index: number) => {
      const { list, selection } = latest.current
      const start = selection.anchorId === undefined ? index : Math.max(0, indexOfItem(list, selection.anchorId))
      const [from, to] = [Math.min(start, index), Math.max(start, index) + 1]
      const range = itemsBetween(list, from, to)
      openRange.current = range.length < Math.min(to, list.total) - from ? index : undefined
      set(selectRange(selection, ids(range)))
    }
    return {
      choose: (id: string) => setAlone(chooseItem(id)),
      toggle: (id: string) => setAlone(toggleItem(latest.current.selection, id)),
      selectTo,
      all() {
        const { list, selection, folder } = latest.current
        setAlone(folder ? selectAll(selection) : selectRange(selection, ids(list.items)))
      },
      clear: () => {
        if (latest.current.selection !== NO_SELECTION) setAlone(NO_SELECTION)
      },
      frame: (before: Selection, framed: Iterable<string>, isAdding: boolean) =>
        setAlone(selectInFrame(before, framed, isAdding)),
      current: () => latest.current.selection,
      isReaching: () => openRange.current !== undefined || latest.current.awaited.size > 0,
      items() {
        const { list, selection, awaited } = latest.current
        const items = selectedItems(list, selection)
        return awaited.size === 0
          ? items
          : [...items, ...[...awaited.values()].filter(({ id }) => isSelected(selection, id))]
      },
      everything() {
        const { list, selection, folder } = latest.current
        if (!folder || !selection.isAll || isNameable(list)) return undefined
        return { folderId: folder.id, exceptIds: [...selection.exceptIds], count: countSelected(selection, list.total) }
      },
      /** Follows a change of the list: removes items that are gone, and adds new ones to an open range. */
      follow() {
        const { list, selection, awaited } = latest.current
        if (openRange.current !== undefined) return selectTo(openRange.current)
        if (selection === NO_SELECTION) return
        const next = keepExisting(selection, (id) => awaited.has(id) || indexOfItem(list, id) !== -1)
        if (next !== selection) set(next)
      },
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: follows each change of the list
  useEffect(() => operations.follow(), [operations, list.items, list.ahead])

  return useMemo(
    () => ({ ...operations, selection, count: countSelected(selection, list.total) }),
    [operations, selection, list.total],
  )
}

/** Returns whether a call can take the ids of all items: they have loaded, and aren't too many. */
function isNameable({ nextCursor, total }: ItemList): boolean {
  return nextCursor === null && total <= MAX_SELECTED_ITEMS
}

/** Items by their ids. */
type Awaited = ReadonlyMap<string, Item>

const NONE_AWAITED: Awaited = new Map()

/** Finds the selected and excluded items that a list in another order will have once its later pages have loaded. */
function findAwaited(list: ItemList, before: ItemList, { ids, exceptIds }: Selection, earlier: Awaited): Awaited {
  if (!mayStillCome(list, before.total)) return NONE_AWAITED
  const awaited = new Map<string, Item>()
  for (const id of [...ids, ...exceptIds]) {
    const item = indexOfItem(list, id) === -1 && (itemAt(before, indexOfItem(before, id)) ?? earlier.get(id))
    if (item) awaited.set(id, item)
  }
  return awaited
}

function* ids(items: readonly Item[]): Generator<string> {
  for (const { id } of items) yield id
}

function selectedItems(list: ItemList, selection: Selection): readonly Item[] {
  // Walking through the list is cheaper than looking up a large part of it.
  if (selection.isAll || selection.ids.size > list.items.length / 8)
    return knownItems(list).filter(({ id }) => isSelected(selection, id))
  const indexes = Array.from(selection.ids, (id) => indexOfItem(list, id)).filter((index) => index !== -1)
  return indexes.toSorted((a, b) => a - b).flatMap((index) => itemAt(list, index) ?? [])
}
