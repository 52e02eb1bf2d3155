import {
  createFolder,
  moveFile,
  moveFolder,
  renameFile,
  renameFolder,
  trashFile,
  trashFolder,
} from '@alcove/contract/files'
import type { File, Folder, Item } from '@alcove/contract/items'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, send } from '../../lib/api.ts'
import { parentOf, patchFavorites, patchFolder, patchItem, withoutItem } from '../../lib/item-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { notifyError, notifySuccess } from '../../ui/notify.tsx'

/** The server's own sentence about a failure, where it gave one. */
export function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.text : undefined
}

const changing = ['change-item']

/**
 * Fetches anew what a change has touched, unless another change is still on its way: its own end will do it, and an
 * answer from in between would bring back for a moment what the user has just removed.
 */
async function refresh(queryClient: QueryClient, ...folderIds: (string | undefined)[]): Promise<void> {
  if (queryClient.isMutating({ mutationKey: changing }) > 1) return
  const touched = [...folderIds.map(queryKeys.folder), queryKeys.storage, queryKeys.favorites, queryKeys.trash]
  await Promise.all(touched.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Takes an item out of its folder before the server has answered. */
async function takeAway(queryClient: QueryClient, item: Item): Promise<void> {
  await queryClient.cancelQueries({ queryKey: queryKeys.folder(parentOf(item)) })
  patchFolder(queryClient, parentOf(item), (lists) => withoutItem(lists, item))
}

export function useCreateFolder(parentFolderId: string | undefined) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: (folderName: string) => send(createFolder, { folderName, parentFolderId }),
    onSuccess(folder) {
      patchItem(queryClient, folder)
      notifySuccess('Folder created successfully.')
    },
    onError(error) {
      const text = sentenceOf(error)
      notifyError(text ? `Failed to create folder: ${text}` : 'Failed to create folder.')
    },
    onSettled: () => refresh(queryClient, parentFolderId),
  })
}

export function useRenameFile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: ({ file, newName }: { file: File; newName: string }) =>
      send(renameFile, { oldFilename: file.name, newName, folderId: file.folder_id, isEncrypted: file.isEncrypted }),
    onSuccess(renamed) {
      patchItem(queryClient, renamed)
      notifySuccess('File renamed successfully.')
    },
    onError: () => notifyError('File rename failed.'),
    onSettled: (_renamed, _error, { file }) => refresh(queryClient, parentOf(file)),
  })
}

export function useRenameFolder() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: ({ folder, newName }: { folder: Folder; newName: string }) =>
      send(renameFolder, { id: folder.id, newName }),
    onSuccess(renamed) {
      patchItem(queryClient, renamed)
      notifySuccess('Folder renamed successfully.')
    },
    onError: () => notifyError('Folder rename failed.'),
    onSettled: (_renamed, _error, { folder }) => refresh(queryClient, parentOf(folder), folder.id),
  })
}

/** Moves an item to the trash; it is gone from view at once, and back when that fails. */
export function useTrashItem() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: ({ type, id }: Item) => send(type === 'file' ? trashFile : trashFolder, { id }),
    async onMutate(item) {
      await takeAway(queryClient, item)
      await queryClient.cancelQueries({ queryKey: queryKeys.favorites })
      patchFavorites(queryClient, (lists) => withoutItem(lists, item))
    },
    onSuccess: (_done, { type }) =>
      notifySuccess(type === 'file' ? 'File deleted successfully.' : 'Folder deleted successfully.'),
    onError(_error, item) {
      patchItem(queryClient, item)
      notifyError(item.type === 'file' ? 'File deletion failed.' : 'Folder deletion failed.')
    },
    onSettled: (_done, _error, item) => refresh(queryClient, parentOf(item)),
  })
}

/** Moves an item into a folder, or to the root; it is gone from view at once, and back when that fails. */
export function useMoveItem() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: ({ item, targetFolderId = null }: { item: Item; targetFolderId?: string | null }): Promise<Item> =>
      item.type === 'file'
        ? send(moveFile, { fileId: item.id, targetFolderId })
        : send(moveFolder, { folderId: item.id, targetFolderId }),
    onMutate: ({ item }) => takeAway(queryClient, item),
    onSuccess(moved, { item }) {
      patchItem(queryClient, moved)
      notifySuccess(item.type === 'file' ? 'File moved successfully.' : 'Folder moved successfully.')
    },
    onError(error, { item }) {
      patchItem(queryClient, item)
      const text = sentenceOf(error)
      notifyError(text ? `Failed to move ${item.type}: ${text}` : `Failed to move ${item.type}.`)
    },
    // What lies below a moved folder has another path now.
    onSettled: (_moved, _error, { item, targetFolderId }) =>
      item.type === 'folder'
        ? queryClient.invalidateQueries({ queryKey: queryKeys.folders }).then(() => undefined)
        : refresh(queryClient, parentOf(item), targetFolderId ?? undefined),
  })
}
