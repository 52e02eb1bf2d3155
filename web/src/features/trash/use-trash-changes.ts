import type { Item } from '@alcove/contract/items'
import {
  deleteFile,
  deleteFolder,
  deleteItems,
  emptyTrash,
  restoreFile,
  restoreFolder,
  restoreItems,
  type TrashedItem,
} from '@alcove/contract/trash'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { runChange } from '../../items/lists/run-change.ts'
import { plural } from '../../lib/format.ts'
import { notifyError, notifySuccess, notifyWithAction } from '../../ui/toasts/notify.tsx'
import type { Trash } from './queries.ts'
import { reportFailure } from './report-failure.ts'
import { describeRestored, EMPTY_TRASH, nameOf, withItems, withoutItems } from './trash-contents.ts'
import { useShowItem } from './use-show-item.ts'

const touches = [queryKeys.trash, queryKeys.storage, queryKeys.folders, queryKeys.favorites]

export interface TrashChanges {
  readonly restore: (items: readonly TrashedItem[]) => Promise<void>
  readonly deleteForGood: (items: readonly TrashedItem[]) => Promise<void>
}

/** Restores items, or deletes them for good: gone from the trash at once, and back when that fails. */
export function useTrashChanges(): TrashChanges {
  const queryClient = useQueryClient()
  const showItem = useShowItem()

  function take<Answer>(items: readonly TrashedItem[], call: () => Promise<Answer>): Promise<Answer> {
    const patch = (change: (trash: Trash) => Trash) =>
      queryClient.setQueryData<Trash>(queryKeys.trash, (trash) => trash && change(trash))
    return runChange(queryClient, {
      touches,
      show() {
        patch((trash) => withoutItems(trash, items))
        return () => patch((trash) => withItems(trash, items))
      },
      call,
    })
  }

  async function restore(items: readonly TrashedItem[]): Promise<void> {
    const [first] = items
    if (!first) return
    try {
      if (items.length === 1) {
        const restored = await take(items, () => restoreOne(first))
        notifyWithAction(describeRestored(first, restored), { label: 'Show', run: () => void showItem(first.id) })
      } else {
        const itemIds = items.map(({ id }) => id)
        const { count } = await take(items, () => send(restoreItems, { itemIds }))
        const text = `${plural(count, 'item')} restored.`
        notifyWithAction(text, { label: 'Show', run: () => void showItem(first.id) })
      }
    } catch (error) {
      reportFailure(error, `Failed to restore ${nameOf(items)}`, items, (others) => void restore(others))
    }
  }

  async function deleteForGood(items: readonly TrashedItem[]): Promise<void> {
    const [first] = items
    if (!first) return
    const itemIds = items.map(({ id }) => id)
    try {
      const { message } = await take(items, () =>
        items.length === 1 ? deleteOne(first) : send(deleteItems, { itemIds }),
      )
      notifySuccess(message)
    } catch (error) {
      const text = `Failed to permanently delete ${nameOf(items)}`
      reportFailure(error, text, items, (others) => void deleteForGood(others))
    }
  }

  return { restore, deleteForGood }
}

function restoreOne({ type, id }: TrashedItem): Promise<Item> {
  return type === 'file' ? send(restoreFile, { id }) : send(restoreFolder, { id })
}

function deleteOne({ type, id }: TrashedItem): Promise<{ message: string }> {
  return send(type === 'file' ? deleteFile : deleteFolder, { id })
}

export function useEmptyTrash() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => runChange(queryClient, { touches, call: () => send(emptyTrash, {}) }),
    onSuccess({ message }) {
      notifySuccess(message)
      queryClient.setQueryData<Trash>(queryKeys.trash, EMPTY_TRASH)
    },
    onError: () => notifyError('Failed to delete all trashed items'),
  })
}
