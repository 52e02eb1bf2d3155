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

/** What a change is about: items by name, or everything in a folder. */
export interface Chosen {
  readonly items: readonly Item[]
  readonly everything?: Everything
}

export function countOf({ items, everything }: Chosen): number {
  return everything?.count ?? items.length
}

/** The one item that is meant, where it is only one. */
export function onlyItem({ items, everything }: Chosen): Item | undefined {
  return !everything && items.length === 1 ? items[0] : undefined
}

/** How the server is told. */
export function selectionOf({ items, everything }: Chosen) {
  if (!everything) return { itemIds: items.map(({ id }) => id) }
  const { folderId, exceptIds } = everything
  const isEncrypted = folderId === VAULT_ROOT ? true : undefined
  return { allIn: { folderId: ownIdOf(folderId) ?? null, isEncrypted, exceptIds: [...exceptIds] } }
}

/** The folders that the chosen items lie in. */
export function foldersOf({ items, everything }: Chosen): (string | undefined)[] {
  return everything ? [everything.folderId] : [...new Set(items.map(parentOf))]
}

/** What has to be fetched anew after a change of the chosen items. Below a folder that moves every path changes. */
export function touchedBy(chosen: Chosen, ...others: (string | undefined)[]): QueryKey[] {
  const folders = chosen.everything || chosen.items.some(({ type }) => type === 'folder')
  const lists = folders ? [queryKeys.folders] : [...foldersOf(chosen), ...others].map(queryKeys.folder)
  return [...lists, queryKeys.favorites, queryKeys.trash, queryKeys.storage, queryKeys.items, queryKeys.searches]
}

/** Takes the chosen items out of view; gives how to put them back. */
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
