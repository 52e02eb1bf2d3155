import { getStorage } from '@alcove/contract/files'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { type FolderContents, fetchContents, ROOT_NAME } from './folder-contents.ts'

export function useFolder(folderId: string | undefined) {
  return useQuery({
    queryKey: queryKeys.folder(folderId),
    queryFn: ({ signal }) => fetchContents(folderId, signal),
  })
}

export function useStorage() {
  return useQuery({ queryKey: queryKeys.storage, queryFn: ({ signal }) => send(getStorage, {}, { signal }) })
}

/** Name and place of a folder: its own answer, or until that is there, as far as its parent has told. */
export function useFolderPlace(folderId: string | undefined): Pick<FolderContents, 'name' | 'path' | 'parentId'> {
  const { data } = useFolder(folderId)
  const queryClient = useQueryClient()
  if (data) return data
  if (folderId === undefined) return { name: ROOT_NAME, path: [], parentId: null }
  return findInParent(queryClient, folderId) ?? { name: '…', path: [], parentId: null }
}

function findInParent(queryClient: QueryClient, folderId: string) {
  for (const [, parent] of queryClient.getQueriesData<FolderContents>({ queryKey: queryKeys.folders })) {
    const found = parent?.folders.find(({ id }) => id === folderId)
    if (parent && found) {
      const path = parent.id ? [...parent.path, { id: parent.id, name: parent.name }] : []
      return { name: found.name, path, parentId: found.parentId }
    }
  }
  return undefined
}
