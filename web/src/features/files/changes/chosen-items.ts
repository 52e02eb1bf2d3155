import type { Item } from '@alcove/contract/items'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { ownIdOf, VAULT_ROOT } from '../../../api/vault-root.ts'
import type { Everything } from '../../../items/item-actions.ts'
import {
  type ItemList,
  knownItems,
  parentOf,
  patchFavorites,
  patchFolder,
  patchItems,
  withoutItems,
} from '../../../items/lists/item-lists.ts'

/** The items that a change affects: some items, or everything in a folder. */
export interface Chosen {
  readonly items: readonly Item[]
  readonly everything?: Everything
  /** Whether they are in somebody else's folder, so that they go to the trash of its owner. */
  readonly isOthers?: boolean
}

export function countOf({ items, everything }: Chosen): number {
  return everything?.count ?? items.length
}

/** Returns the chosen item, if it is a single one. */
export function onlyItem({ items, everything }: Chosen): Item | undefined {
  return !everything && items.length === 1 ? items[0] : undefined
}

/** Returns the chosen items as the calls for many items take them. */
export function selectionOf({ items, everything }: Chosen) {
  if (!everything) return { itemIds: items.map(({ id }) => id) }
  const { folderId, exceptIds } = everything
  const isEncrypted = folderId === VAULT_ROOT ? true : undefined
  return { allIn: { folderId: ownIdOf(folderId) ?? null, isEncrypted, exceptIds: [...exceptIds] } }
}

/** Returns the ids of the folders that contain the chosen items. */
export function foldersOf({ items, everything }: Chosen): (string | undefined)[] {
  return everything ? [everything.folderId] : [...new Set(items.map(parentOf))]
}

/** Returns the queries to refetch after a change of the chosen items. A folder affects all lists, because paths change. */
export function touchedBy(chosen: Chosen, ...others: (string | undefined)[]): QueryKey[] {
  const folders = chosen.everything || chosen.items.some(({ type }) => type === 'folder')
  const lists = folders ? [queryKeys.folders] : [...foldersOf(chosen), ...others].map(queryKeys.folder)
  const media = folders || chosen.items.some(isMedia) ? [queryKeys.media] : []
  return [
    ...lists,
    ...media,
    queryKeys.favorites,
    queryKeys.trash,
    queryKeys.storage,
    queryKeys.items,
    queryKeys.searches,
  ]
}

/** Returns whether an item is in the lists of music or videos, which are long and so refetched only for their own files. */
function isMedia(item: Item): boolean {
  return item.type === 'file' && /^(audio|video)/.test(item.mimeType)
}

/** Removes the chosen items from the cached lists. Returns a function that puts them back. */
export function takeAway(queryClient: QueryClient, chosen: Chosen): () => void {
  const { items, everything } = chosen
  const excepted = new Set(everything?.exceptIds)
  const without = (list: ItemList) => withoutItems(list, items)
  const onlyExcepted = (list: ItemList): ItemList => {
    const rest = knownItems(list).filter(({ id }) => excepted.has(id))
    return { ...list, items: rest, total: excepted.size, nextCursor: null, ahead: undefined }
  }
  for (const folderId of foldersOf(chosen)) patchFolder(queryClient, folderId, everything ? onlyExcepted : without)
  patchFavorites(queryClient, without)
  return () => patchItems(queryClient, items)
}
