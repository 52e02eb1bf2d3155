import type { Item } from '@alcove/contract/items'
import type { QueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import { type Compare, compareBy, DEFAULT_SORT, readSort } from './item-order.ts'
import {
  itemAhead,
  type SegmentBatch,
  type SegmentBatches,
  stillAhead,
  withBatch,
  withComing,
  withoutGone,
} from './items-ahead.ts'

/** Folders and files that are shown together, folders first: those of a folder in one order, or the favorites. */
export interface ItemList {
  /** As far as they have been loaded: from the first one on, without a gap. */
  readonly items: readonly Item[]
  /** How many there are, loaded or not. */
  readonly total: number
  /** Where the next page begins; null when everything is loaded. */
  readonly nextCursor: string | null
  /** What was put in here while pages were still to come: one of them may bring it again. */
  readonly added?: ReadonlySet<string>
  /** What has been looked at further down. It is shown until the list has been loaded so far, and then forgotten. */
  readonly ahead?: SegmentBatches
}

export const EMPTY_LIST: ItemList = { items: [], total: 0, nextCursor: null }

/** A list that is complete. */
export function completeList(items: readonly Item[]): ItemList {
  return { items, total: items.length, nextCursor: null }
}

/** How many of a list are folders, as far as is known: what has not been loaded is taken to go on as it is. */
export function countFolders({ items, total, ahead = [] }: ItemList): number {
  if (items.at(-1)?.type !== 'folder') return countLeadingFolders(items)
  const batch = ahead.find((known) => known.items.at(-1)?.type === 'file')
  return batch ? batch.start + countLeadingFolders(batch.items) : total
}

function countLeadingFolders(items: readonly Item[]): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle]?.type === 'folder') low = middle + 1
    else high = middle
  }
  return low
}

/** The item at an index, if it is known. */
export function itemAt({ items, ahead }: ItemList, index: number): Item | undefined {
  return index < items.length ? items[index] : ahead && itemAhead(ahead, index)
}

/** The items between two indexes as far as they are known; the second one is not included. */
export function itemsBetween({ items, ahead = [] }: ItemList, from: number, to: number): readonly Item[] {
  const further = ahead.flatMap((batch) =>
    batch.items.slice(Math.max(0, from - batch.start), Math.max(0, to - batch.start)),
  )
  const loaded = items.slice(from, to)
  return further.length === 0 ? loaded : [...loaded, ...further]
}

/** All that is known of a list, in its order. */
export function knownItems({ items, ahead }: ItemList): readonly Item[] {
  return ahead ? [...items, ...ahead.flatMap((batch) => batch.items)] : items
}

const indexes = new WeakMap<readonly Item[], ReadonlyMap<string, number>>()

/** Where an item stands in a list, or -1. The first question about a list costs a walk through it, the others nothing. */
export function indexOfItem({ items, ahead = [] }: ItemList, id: string | undefined): number {
  if (id === undefined) return -1
  for (const part of [{ start: 0, items }, ...ahead]) {
    const place = placesIn(part.items).get(id)
    if (place !== undefined) return part.start + place
  }
  return -1
}

function placesIn(items: readonly Item[]): ReadonlyMap<string, number> {
  let places = indexes.get(items)
  if (!places) {
    places = new Map(items.map((item, place) => [item.id, place]))
    indexes.set(items, places)
  }
  return places
}

/** A list with what was found far down, where it has not been loaded that far. */
export function withItemsAhead(list: ItemList, batch: SegmentBatch): ItemList {
  if (list.nextCursor === null) return list
  return aheadOf(list, withBatch(list.ahead ?? [], batch))
}

/** A list with these stretches ahead of what is loaded, or of which nothing is. */
export function aheadOf(list: ItemList, batches: SegmentBatches): ItemList {
  const ahead = list.nextCursor === null ? [] : stillAhead(batches, list.items.length)
  return { ...list, ahead: ahead.length === 0 ? undefined : ahead }
}

/** The folder that an item lies in; at the root of the drive undefined, at that of the vault `VAULT_ROOT`. */
export function parentOf(item: Item): string | undefined {
  return (item.type === 'file' ? item.folder_id : item.parentId) ?? (item.isEncrypted ? VAULT_ROOT : undefined)
}

export function withoutItems(list: ItemList, gone: readonly { readonly id: string }[]): ItemList {
  const ids = new Set(gone.map(({ id }) => id))
  const items = list.items.filter(({ id }) => !ids.has(id))
  const loaded = list.items.length - items.length
  const ahead = list.ahead && withoutGone(list.ahead, ids, loaded)
  const count = loaded + countItems(list.ahead) - countItems(ahead)
  return count === 0 ? list : aheadOf({ ...list, items, total: list.total - count }, ahead ?? [])
}

function countItems(batches: SegmentBatches = []): number {
  return batches.reduce((count, { items }) => count + items.length, 0)
}

/** With the items in their new state, or put back where they had been taken away, each in its place. */
export function withItems(list: ItemList, changed: readonly Item[], compare: Compare): ItemList {
  const { items, total, nextCursor, added, ahead } = withoutItems(list, changed)
  const places = changed
    .map((item) => ({ item, place: placeOf(items, item, compare) }))
    .toSorted((a, b) => a.place - b.place || compare(a.item, b.item))
  // What comes after all that is loaded will be on a page to come.
  const shown = nextCursor === null ? places : places.filter(({ place }) => place < items.length)
  const next: Item[] = []
  let done = 0
  for (const { item, place } of shown) {
    for (; done < place; done++) next.push(items[done] as Item)
    next.push(item)
  }
  for (; done < items.length; done++) next.push(items[done] as Item)
  const further = places.slice(shown.length).map(({ item }) => item)
  return {
    items: next,
    total: total + changed.length,
    nextCursor,
    added: nextCursor === null ? undefined : new Set([...(added ?? []), ...shown.map(({ item }) => item.id)]),
    ahead: ahead && withComing(ahead, further, shown.length, compare),
  }
}

/** Where an item belongs among items in order. */
function placeOf(items: readonly Item[], item: Item, compare: Compare): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(items[middle] as Item, item) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Changes a list; `compare` tells the order it is in. */
export type ListChange = (list: ItemList, compare: Compare) => ItemList

/** Changes what is shown of a folder, in whatever order, before or without asking the server again. */
export function patchFolder(queryClient: QueryClient, folderId: string | undefined, change: ListChange): void {
  const lists = queryClient.getQueriesData<ItemList>({ queryKey: queryKeys.folderItems(folderId) })
  for (const [queryKey, list] of lists) {
    const sort = readSort(queryKey[queryKeys.folderItems(folderId).length] as string)
    if (list) queryClient.setQueryData<ItemList>(queryKey, change(list, compareBy(sort)))
  }
}

/** The same for the favorites. */
export function patchFavorites(queryClient: QueryClient, change: ListChange): void {
  const compare = compareBy(DEFAULT_SORT)
  queryClient.setQueryData<ItemList>(queryKeys.favorites, (list) => list && change(list, compare))
}

/** Shows items in their new state wherever they are shown. */
export function patchItems(queryClient: QueryClient, changed: readonly Item[]): void {
  for (const [folderId, items] of Map.groupBy(changed, parentOf))
    patchFolder(queryClient, folderId, (list, compare) => withItems(list, items, compare))
  const marked = changed.filter((item) => item.isFavorite)
  patchFavorites(queryClient, (list, compare) => withItems(withoutItems(list, changed), marked, compare))
}

/** The same for one item. */
export function patchItem(queryClient: QueryClient, item: Item): void {
  patchItems(queryClient, [item])
}
