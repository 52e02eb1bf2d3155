import type { Item } from '@alcove/contract/items'
import type { QueryClient } from '@tanstack/react-query'
import { type Compare, compareBy, DEFAULT_SORT, readSort } from './item-order.ts'
import { queryKeys } from './query-keys.ts'
import { VAULT_ROOT } from './vault-root.ts'

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
}

export const EMPTY_LIST: ItemList = { items: [], total: 0, nextCursor: null }

/** A list that is complete. */
export function completeList(items: readonly Item[]): ItemList {
  return { items, total: items.length, nextCursor: null }
}

/** How many of a list are folders, as far as is known: what has not been loaded is taken to go on as it is. */
export function countFolders({ items, total }: ItemList): number {
  if (items.at(-1)?.type === 'folder') return total
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle]?.type === 'folder') low = middle + 1
    else high = middle
  }
  return low
}

const indexes = new WeakMap<readonly Item[], ReadonlyMap<string, number>>()

/** Where an item stands in a list, or -1. The first question about a list costs a walk through it, the others nothing. */
export function indexOfItem({ items }: ItemList, id: string | undefined): number {
  if (id === undefined) return -1
  let index = indexes.get(items)
  if (!index) {
    index = new Map(items.map((item, place) => [item.id, place]))
    indexes.set(items, index)
  }
  return index.get(id) ?? -1
}

/** The folder that an item lies in; at the root of the drive undefined, at that of the vault `VAULT_ROOT`. */
export function parentOf(item: Item): string | undefined {
  return (item.type === 'file' ? item.folder_id : item.parentId) ?? (item.isEncrypted ? VAULT_ROOT : undefined)
}

export function withoutItems(list: ItemList, gone: readonly { readonly id: string }[]): ItemList {
  const ids = new Set(gone.map(({ id }) => id))
  const items = list.items.filter(({ id }) => !ids.has(id))
  const count = list.items.length - items.length
  return count === 0 ? list : { ...list, items, total: list.total - count }
}

/** With the items in their new state, or put back where they had been taken away, each in its place. */
export function withItems(list: ItemList, changed: readonly Item[], compare: Compare): ItemList {
  const { items, total, nextCursor, added } = withoutItems(list, changed)
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
  return {
    items: next,
    total: total + changed.length,
    nextCursor,
    added: nextCursor === null ? undefined : new Set([...(added ?? []), ...shown.map(({ item }) => item.id)]),
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
