import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { hasEarlyResponses } from '../../api/early-responses.ts'
import { storageQuery } from '../../api/fetch-storage.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { getSession } from '../../api/session.ts'
import { ownIdOf } from '../../api/vault-root.ts'
import { type ItemList, indexOfItem, itemAt } from '../../items/lists/item-lists.ts'
import { readSort, type Sort, writeSort } from '../../items/lists/item-order.ts'
import { prefetchTileThumbnails } from '../../items/thumbnails.ts'
import { type FolderPlace, fetchList, fetchPlace, fetchSubFolders, ROOT_PLACE } from './folder-contents.ts'

function folderItemsQuery(queryClient: QueryClient, folderId: string | undefined, sort: Sort) {
  const queryKey = [...queryKeys.folderItems(folderId), writeSort(sort)]
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => fetchList(folderId, sort, () => queryClient.getQueryData<ItemList>(queryKey), signal),
  })
}

/** How many thumbnails are fetched before their tiles are rendered: those in view on a small screen. */
const FIRST_TILES = 8

/**
 * Puts the list and the storage usage, which the page requested before the program had loaded, into the query cache, so
 * that the first render shows them. Never rejects.
 */
export async function takeEarlyFiles(queryClient: QueryClient): Promise<void> {
  if (!hasEarlyResponses()) return
  const folderId = new URLSearchParams(window.location.search).get('folder') || undefined
  const sort = readSort(getSession().fileSort)
  const items = folderItemsQuery(queryClient, folderId, sort)
  await Promise.all([queryClient.prefetchQuery(items), queryClient.prefetchQuery(storageQuery)])
  if (getSession().fileView === 'list') return
  // The network is idle while the screen is rendered for the first time.
  const list = queryClient.getQueryData<ItemList>(items.queryKey)?.items ?? []
  prefetchTileThumbnails(list.filter((item) => item.type === 'file').slice(0, FIRST_TILES))
}

/** Queries the contents of a folder, or of the root, in the given order. */
export function useFolderItems(folderId: string | undefined, sort: Sort) {
  const queryClient = useQueryClient()
  const items = folderItemsQuery(queryClient, folderId, sort)
  return useQuery({
    ...items,
    // Comparing a hundred thousand items with the previous ones would take longer than rendering them.
    structuralSharing: false,
    // When the order changes, the old list stays until the new one has loaded.
    placeholderData: (shown: ItemList | undefined, query) =>
      query?.queryKey[1] === items.queryKey[1] ? shown : undefined,
  })
}

/** Queries the folders in a folder, or at the root, by name. */
export function useSubFolders(folderId: string | undefined, { enabled = true }: { readonly enabled?: boolean } = {}) {
  return useQuery({
    enabled,
    queryKey: queryKeys.subFolders(folderId),
    queryFn: ({ signal }) => fetchSubFolders(folderId, signal),
  })
}

export function useStorage() {
  return useQuery(storageQuery)
}

/** Returns the name and path of a folder. Until they have loaded, takes them from the cached list of its parent. */
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
