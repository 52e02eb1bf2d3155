import type { Item } from '@alcove/contract/items'
import { foldCase } from '@alcove/contract/names'
import type { QueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'
import { type ItemList, knownItems } from './item-lists.ts'

/**
 * Returns the name of an item in a folder that differs from `name` only in case. It looks at the lists that have loaded,
 * without a request, so in a very large folder it may miss one. `ownId` is the item that is being renamed.
 */
export function findKnownTwin(
  queryClient: QueryClient,
  folderId: string | undefined,
  name: string,
  ownId?: string,
): string | undefined {
  const lists = queryClient.getQueriesData<ItemList>({ queryKey: queryKeys.folderItems(folderId) })
  const folders = queryClient.getQueryData<readonly Item[]>(queryKeys.subFolders(folderId))
  const folded = foldCase(name)
  // The lengths are compared first, because a folder may have a hundred thousand items.
  const isTwin = (item: Item) =>
    item.name.length === name.length && item.id !== ownId && item.name !== name && foldCase(item.name) === folded
  for (const [, list] of lists) {
    const found = list && knownItems(list).find(isTwin)
    if (found) return found.name
  }
  return folders?.find(isTwin)?.name
}
