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

/** Folders and files that are shown together, folders first: the contents of a folder in one order, or the favorites. */
export interface ItemList {
  /** The loaded items, from the first one on without a gap. */
  readonly items: readonly Item[]
  /** How many there are, loaded or not. */
  readonly total: number
  /** The cursor of the next page; null when everything has loaded. */
  readonly nextCursor: string | null
  /** Ids that were added while pages were missing. A later page may contain them again. */
  readonly added?: ReadonlySet<string>
  /** Batches that were loaded further down. Each is dropped once `items` reaches it. */
  readonly ahead?: SegmentBatches
}

export const EMPTY_LIST: ItemList = { items: [], total: 0, nextCursor: null }

/** Returns a list of which everything has loaded. */
export function completeList(items: readonly Item[]): ItemList {
  return { items, total: items.length, nextCursor: null }
}

/** Counts the folders of a list. If only folders have loaded so far, it counts the missing items as folders. */
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

/** Returns the item at an index, if it has loaded. */
export function itemAt({ items, ahead }: ItemList, index: number): Item | undefined {
  return index < items.length ? items[index] : ahead && itemAhead(ahead, index)
}

/** Returns the loaded items from an index up to another one, which is not included. */
export function itemsBetween({ items, ahead = [] }: ItemList, from: number, to: number): readonly Item[] {
  const further = ahead.flatMap((batch) =>
    batch.items.slice(Math.max(0, from - batch.start), Math.max(0, to - batch.start)),
  )
  const loaded = items.slice(from, to)
  return further.length === 0 ? loaded : [...loaded, ...further]
}

/** Returns all loaded items in the order of the list, with those further down. */
export function knownItems({ items, ahead }: ItemList): readonly Item[] {
  return ahead ? [...items, ...ahead.flatMap((batch) => batch.items)] : items
}

const indexes = new WeakMap<readonly Item[], ReadonlyMap<string, number>>()

/** Returns the index of an item, or -1. The first call for a list walks through it; later calls are a map lookup. */
export function indexOfItem({ items, ahead = [] }: ItemList, id: string | undefined): number {
  if (id === undefined) return -1
  for (const part of [{ start: 0, items }, ...ahead]) {
    const place = placesIn(part.items).get(id)
    if (place !== undefined) return part.start + place
  }
  return -1
}

/**
 * Returns whether an item that a list had before, and doesn't have now, may come with a later page, as in another order.
 * A list that has become shorter has lost it.
 */
export function mayStillCome({ nextCursor, total }: ItemList, totalBefore: number): boolean {
  return nextCursor !== null && total >= totalBefore
}

function placesIn(items: readonly Item[]): ReadonlyMap<string, number> {
  let places = indexes.get(items)
  if (!places) {
    places = new Map(items.map((item, place) => [item.id, place]))
    indexes.set(items, places)
  }
  return places
}

/** Adds a batch that was loaded further down, unless the list is complete. */
export function withItemsAhead(list: ItemList, batch: SegmentBatch): ItemList {
  if (list.nextCursor === null) return list
  return aheadOf(list, withBatch(list.ahead ?? [], batch))
}

/** Returns a list with the batches that are still ahead of its loaded items. */
export function aheadOf(list: ItemList, batches: SegmentBatches): ItemList {
  const ahead = list.nextCursor === null ? [] : stillAhead(batches, list.items.length)
  return { ...list, ahead: ahead.length === 0 ? undefined : ahead }
}

/** Returns the id of an item's folder: undefined at the root of the drive, `VAULT_ROOT` at the root of the vault. */
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

/** Replaces items by their new state, or adds them, each at its place in the order. */
export function withItems(list: ItemList, changed: readonly Item[], compare: Compare): ItemList {
  const { items, total, nextCursor, added, ahead } = withoutItems(list, changed)
  const places = changed
    .map((item) => ({ item, place: placeOf(items, item, compare) }))
    .toSorted((a, b) => a.place - b.place || compare(a.item, b.item))
  // An item behind all loaded ones comes with a later page.
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

/** Returns the index at which an item belongs among sorted items. */
function placeOf(items: readonly Item[], item: Item, compare: Compare): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(items[middle] as Item, item) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Changes a list, which is sorted by `compare`. */
export type ListChange = (list: ItemList, compare: Compare) => ItemList

/** Changes the cached lists of a folder, in every order, without a request. */
export function patchFolder(queryClient: QueryClient, folderId: string | undefined, change: ListChange): void {
  const lists = queryClient.getQueriesData<ItemList>({ queryKey: queryKeys.folderItems(folderId) })
  for (const [queryKey, list] of lists) {
    const sort = readSort(queryKey[queryKeys.folderItems(folderId).length] as string)
    if (list) queryClient.setQueryData<ItemList>(queryKey, change(list, compareBy(sort)))
  }
}

/** Changes the cached list of favorites. */
export function patchFavorites(queryClient: QueryClient, change: ListChange): void {
  const compare = compareBy(DEFAULT_SORT)
  queryClient.setQueryData<ItemList>(queryKeys.favorites, (list) => list && change(list, compare))
}

/** Shows items in their new state in every cached list. */
export function patchItems(queryClient: QueryClient, changed: readonly Item[]): void {
  for (const [folderId, items] of Map.groupBy(changed, parentOf))
    patchFolder(queryClient, folderId, (list, compare) => withItems(list, items, compare))
  const marked = changed.filter((item) => item.isFavorite)
  patchFavorites(queryClient, (list, compare) => withItems(withoutItems(list, changed), marked, compare))
}

/** Shows an item in its new state in every cached list. */
export function patchItem(queryClient: QueryClient, item: Item): void {
  patchItems(queryClient, [item])
}
