import type { Item } from '@alcove/contract/items'
import {
  deleteFile,
  deleteFolder,
  emptyTrash,
  restoreFile,
  restoreFolder,
  type TrashedItem,
} from '@alcove/contract/trash'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { notifyError, notifySuccess } from '../../ui/notify.tsx'
import type { Trash } from './queries.ts'
import { describeRestored, EMPTY_TRASH, withItem, withoutItem } from './trash-contents.ts'

const changing = ['change-trash']

/** Changes what is shown before the server has answered. */
async function patch(queryClient: QueryClient, change: (trash: Trash) => Trash): Promise<void> {
  await queryClient.cancelQueries({ queryKey: queryKeys.trash })
  queryClient.setQueryData<Trash>(queryKeys.trash, (trash) => trash && change(trash))
}

/** Fetches anew what the trash touches, unless another change is still on its way: its own end will do it. */
async function refresh(queryClient: QueryClient): Promise<void> {
  if (queryClient.isMutating({ mutationKey: changing }) > 1) return
  await Promise.all(
    [queryKeys.trash, queryKeys.storage, queryKeys.folders, queryKeys.favorites].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}

/** Restores an item; it is gone from the trash at once, and back when that fails. */
export function useRestoreItem() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: ({ type, id }: TrashedItem): Promise<Item> =>
      type === 'file' ? send(restoreFile, { id }) : send(restoreFolder, { id }),
    onMutate: (item) => patch(queryClient, (trash) => withoutItem(trash, item)),
    onSuccess: (restored, item) => notifySuccess(describeRestored(item, restored)),
    async onError(_error, item) {
      notifyError(`Failed to restore ${item.type}`)
      await patch(queryClient, (trash) => withItem(trash, item))
    },
    onSettled: () => refresh(queryClient),
  })
}

/** Deletes an item for good; it is gone from the trash at once, and back when that fails. */
export function useDeleteItem() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: ({ type, id }: TrashedItem) => send(type === 'file' ? deleteFile : deleteFolder, { id }),
    onMutate: (item) => patch(queryClient, (trash) => withoutItem(trash, item)),
    onSuccess: ({ message }) => notifySuccess(message),
    async onError(_error, item) {
      notifyError(`Failed to permanently delete ${item.type}`)
      await patch(queryClient, (trash) => withItem(trash, item))
    },
    onSettled: () => refresh(queryClient),
  })
}

export function useEmptyTrash() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: () => send(emptyTrash, {}),
    async onSuccess({ message }) {
      notifySuccess(message)
      await patch(queryClient, () => EMPTY_TRASH)
    },
    onError: () => notifyError('Failed to delete all trashed items'),
    onSettled: () => refresh(queryClient),
  })
}
