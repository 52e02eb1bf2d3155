import type { OutputOf } from '@alcove/contract/call'
import { getItem, listItems } from '@alcove/contract/item-calls'
import type { Folder, Item, PathStep } from '@alcove/contract/items'
import { replaceEqualDeep } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { ownIdOf, VAULT_ROOT } from '../../api/vault-root.ts'
import { aheadOf, type ItemList, withItemsAhead } from '../../items/lists/item-lists.ts'
import { DEFAULT_SORT, type Sort } from '../../items/lists/item-order.ts'
import { isMount } from '../../items/mounts.ts'

/** A folder of a path. */
export interface FolderStep extends PathStep {
  /** The item for it in the list above it, if that has another id. */
  readonly itemId?: string | undefined
}

/** The name and path of a folder. */
export interface FolderPlace {
  readonly name: string
  readonly parentId: string | null
  /** The ancestors, the topmost first. */
  readonly path: readonly FolderStep[]
}

export const ROOT_NAME = 'Root'

export const ROOT_PLACE: FolderPlace = { name: ROOT_NAME, parentId: null, path: [] }

/** Enough items to fill any window, so that a folder shows at once. */
const FIRST_PAGE = 200
/** Later pages load in the background. The largest ones are for when the user waits for them. */
const NEXT_PAGE = 4000
const WANTED_PAGE = 10_000
/** Enough items to fill a window far down the list. */
const BATCH = 400
/** How many items are compared to find out whether a list has changed. */
const CHECKED = 2000

type Page = OutputOf<typeof listItems>

function fetchPage(
  folderId: string | undefined,
  { field, order }: Sort,
  page: { readonly limit: number; readonly cursor?: string; readonly offset?: number },
  signal: AbortSignal,
): Promise<Page> {
  const vault = folderId === VAULT_ROOT ? true : undefined
  return send(listItems, { folderId: ownIdOf(folderId), vault, sort: field, order, ...page }, { signal })
}

/**
 * Fetches the beginning of a folder's list. If the list is known and looks unchanged (its length and its first items are
 * the same), the rest is kept, so that one change doesn't refetch a folder of a hundred thousand files. Otherwise all
 * loaded items are refetched before they replace the known list.
 */
export async function fetchList(
  folderId: string | undefined,
  sort: Sort,
  getKnown: () => ItemList | undefined,
  signal: AbortSignal,
): Promise<ItemList> {
  const known = getKnown()
  const limit = Math.min(CHECKED, Math.max(FIRST_PAGE, known?.items.length ?? 0))
  const first = await fetchPage(folderId, sort, { limit }, signal)
  const latest = getKnown()
  if (latest && isSame(first, latest)) {
    const items = replaceEqualDeep(latest.items.slice(0, first.items.length), first.items)
    return { ...latest, items: [...items, ...latest.items.slice(items.length)] }
  }
  let list: ItemList = first
  while (list.nextCursor !== null && known && list.items.length < known.items.length) {
    const page = await fetchPage(folderId, sort, { limit: WANTED_PAGE, cursor: list.nextCursor }, signal)
    list = withPage(list, page)
  }
  // Refetches the batches further down too, so that what is in view and selected there stays.
  for (const { start } of known?.ahead ?? [])
    list = withItemsAhead(list, { start, items: await fetchItemsAt(folderId, sort, start, signal) })
  return list
}

/** Fetches the items at an index far down a list. */
export async function fetchItemsAt(
  folderId: string | undefined,
  sort: Sort,
  start: number,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  return (await fetchPage(folderId, sort, { limit: BATCH, offset: start }, signal)).items
}

/** Returns the start of the batch to fetch for an index. Nearby indexes have the same one. */
export function batchStart(index: number): number {
  return Math.floor(index / (BATCH / 2)) * (BATCH / 2)
}

function isSame({ items, total, nextCursor }: Page, list: ItemList): boolean {
  if (list.total !== total || (list.nextCursor === null && list.items.length !== total)) return false
  if (nextCursor === null && list.items.length !== items.length) return false
  return items.every(({ id }, index) => list.items[index]?.id === id)
}

/** Fetches the next page of a list. */
export function fetchNextPage(
  folderId: string | undefined,
  sort: Sort,
  cursor: string,
  isWanted: boolean,
  signal: AbortSignal,
): Promise<Page> {
  return fetchPage(folderId, sort, { limit: isWanted ? WANTED_PAGE : NEXT_PAGE, cursor }, signal)
}

/** Adds the next page to a list, without the items that were added to the list before. */
export function withPage({ items, added, ahead = [] }: ItemList, page: Page): ItemList {
  const fresh = added?.size ? page.items.filter(({ id }) => !added.has(id)) : page.items
  const all = items.concat(fresh)
  const list = {
    items: all,
    total: page.nextCursor === null ? all.length : Math.max(page.total, all.length),
    nextCursor: page.nextCursor,
    added: page.nextCursor === null ? undefined : added,
  }
  return aheadOf(list, ahead)
}

export async function fetchPlace(folderId: string, signal: AbortSignal): Promise<FolderPlace> {
  // Not `getFolder`, because that returns the contents too.
  const { item, path } = await send(getItem, { id: folderId }, { signal })
  return { name: item.name, parentId: path.at(-1)?.id ?? null, path }
}

/** Fetches the folders of a folder. A list by name starts with them, so the pages after the last folder aren't fetched. */
export async function fetchSubFolders(folderId: string | undefined, signal: AbortSignal): Promise<Folder[]> {
  let list: ItemList = await fetchPage(folderId, DEFAULT_SORT, { limit: FIRST_PAGE }, signal)
  while (list.nextCursor !== null && list.items.at(-1)?.type === 'folder')
    list = withPage(list, await fetchNextPage(folderId, DEFAULT_SORT, list.nextCursor, true, signal))
  return list.items.filter((item) => item.type === 'folder' && !isMount(item)) as Folder[]
}
