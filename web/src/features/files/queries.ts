import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchStorage } from '../../lib/fetch-storage.ts'
import { type ItemList, indexOfItem, itemAt } from '../../lib/item-lists.ts'
import { type Sort, writeSort } from '../../lib/item-order.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { ownIdOf } from '../../lib/vault-root.ts'
import { type FolderPlace, fetchList, fetchPlace, fetchSubFolders, ROOT_PLACE } from './folder-contents.ts'

/** What is in a folder, or at the root, in the given order. */
export function useFolderItems(folderId: string | undefined, sort: Sort) {
  const queryClient = useQueryClient()
  const queryKey = [...queryKeys.folderItems(folderId), writeSort(sort)]
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchList(folderId, sort, () => queryClient.getQueryData<ItemList>(queryKey), signal),
    // Comparing a hundred thousand items with those before would take longer than showing them.
    structuralSharing: false,
    // In another order the same folder is still to be seen until that order is there.
    placeholderData: (shown: ItemList | undefined, query) => (query?.queryKey[1] === queryKey[1] ? shown : undefined),
  })
}

/** The folders in a folder, or at the root, by name. */
export function useSubFolders(folderId: string | undefined) {
  return useQuery({
    queryKey: queryKeys.subFolders(folderId),
    queryFn: ({ signal }) => fetchSubFolders(folderId, signal),
  })
}

export function useStorage() {
  return useQuery({ queryKey: queryKeys.storage, queryFn: ({ signal }) => fetchStorage(signal) })
}

/** Name and place of a folder: its own answer, or until that is there, as far as its parent has told. */
export function useFolderPlace(folderId: string | undefined): FolderPlace {
  const queryClient = useQueryClient()
  const ownId = ownIdOf(folderId)
  const { data } = useQuery({
    queryKey: queryKeys.folderPlace(folderId),
    queryFn: ownId === undefined ? skipToken : ({ signal }) => fetchPlace(ownId, signal),
  })
  if (ownId === undefined) return ROOT_PLACE
  return data ?? findInParent(queryClient, ownId) ?? { name: '…', path: [], parentId: null }
}

function findInParent(queryClient: QueryClient, folderId: string): FolderPlace | undefined {
  for (const [, list] of queryClient.getQueriesData<ItemList>({ predicate: isOfItems })) {
    const found = list && itemAt(list, indexOfItem(list, folderId))
    if (found?.type !== 'folder') continue
    const { name, parentId } = found
    if (parentId === null) return { name, parentId, path: [] }
    const parent = queryClient.getQueryData<FolderPlace>(queryKeys.folderPlace(parentId))
    if (parent) return { name, parentId, path: [...parent.path, { id: parentId, name: parent.name }] }
  }
  return undefined
}

function isOfItems({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return queryKey[0] === queryKeys.folders[0] && queryKey[2] === queryKeys.folderItems(undefined)[2]
}
