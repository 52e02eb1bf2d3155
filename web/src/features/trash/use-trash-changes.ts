import { getItem } from '@alcove/contract/item-calls'
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
import { useNavigate } from 'react-router'
import { ApiError, send, sentenceOf } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { ownIdOf } from '../../api/vault-root.ts'
import { runChange } from '../../items/changes.ts'
import type { Arrival } from '../../items/grid/arrivals.ts'
import { parentOf } from '../../items/lists/item-lists.ts'
import { offerUnlock } from '../../items/unlock.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess, notifyWithAction } from '../../ui/toasts/notify.tsx'
import {
  describeFailed,
  describeRestored,
  nameOf,
  newestOf,
  type Trash,
  withItems,
  withoutItems,
} from './trash-contents.ts'

const touches = [queryKeys.trash, queryKeys.storage, queryKeys.folders, queryKeys.favorites]

export interface TrashChanges {
  readonly restore: (items: readonly TrashedItem[]) => Promise<void>
  readonly deletePermanently: (items: readonly TrashedItem[]) => Promise<void>
}

/** Restores items, or deletes them permanently. They disappear at once, and come back if that fails. */
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
      const text = `Failed to restore ${nameOf(items)}`
      const unlockFirst = offerUnlock(queryClient, error, () => void restore(items))
      if (unlockFirst) notifyError(`${text}: ${sentenceOf(error)}`, unlockFirst)
      else reportFailure(error, text, items, (others) => void restore(others))
    }
  }

  async function deletePermanently(items: readonly TrashedItem[]): Promise<void> {
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
      reportFailure(error, text, items, (others) => void deletePermanently(others))
    }
  }

  return { restore, deletePermanently }
}

function restoreOne({ type, id }: TrashedItem): Promise<Item> {
  return type === 'file' ? send(restoreFile, { id }) : send(restoreFolder, { id })
}

function deleteOne({ type, id }: TrashedItem): Promise<{ message: string }> {
  return send(type === 'file' ? deleteFile : deleteFolder, { id })
}

/** Deletes everything that the trash contained when the user was asked, and nothing that has come to it since. */
export function useEmptyTrash() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (shown: Trash) =>
      runChange(queryClient, { touches, call: () => send(emptyTrash, { trashedUntil: newestOf(shown) }) }),
    onSuccess({ message }, shown) {
      notifySuccess(message)
      queryClient.setQueryData<Trash>(
        queryKeys.trash,
        (trash) => trash && withoutItems(trash, [...shown.folders, ...shown.files]),
      )
    },
    onError: () => notifyError('Failed to delete all trashed items'),
  })
}

/** Asks whether to delete items permanently. */
export function askToDelete(items: readonly TrashedItem[]): Promise<boolean> {
  const [first] = items
  const what =
    items.length > 1
      ? `these ${formatCount(items.length)} items`
      : first?.type === 'folder'
        ? 'this folder and all its contents'
        : 'this file'
  return confirm({
    question: `Are you sure you want to permanently delete ${what}?`,
    detail:
      items.length > 1
        ? "Folders are deleted with everything in them. This can't be undone."
        : `${first?.name}. This can't be undone.`,
    verb: 'Delete Permanently',
  })
}

/** Shows what failed; for many items also which one and why, with an offer to continue with the others. */
function reportFailure(
  error: unknown,
  text: string,
  items: readonly TrashedItem[],
  tryOthers: (others: readonly TrashedItem[]) => void,
): void {
  const failed = (error instanceof ApiError && error.body?.failed) || []
  if (items.length === 1 || failed.length === 0) {
    notifyError(text)
    return
  }
  const ids = new Set(failed.map(({ itemId }) => itemId))
  const others = items.filter(({ id }) => !ids.has(id))
  const action = others.length > 0 ? { label: 'Only the others', run: () => tryOthers(others) } : undefined
  notifyError(text + describeFailed(failed, items), action)
}

/** Returns a function that goes to the folder of an item. */
function useShowItem(): (id: string) => Promise<void> {
  const navigate = useNavigate()
  return async (id) => {
    try {
      const { item } = await send(getItem, { id })
      const folderId = ownIdOf(parentOf(item))
      const page = item.isEncrypted ? '/vault' : '/profile'
      const state: Arrival = { arrivalId: id }
      await navigate(folderId ? `${page}?folder=${encodeURIComponent(folderId)}` : page, { state })
    } catch {
      notifyError('This item no longer exists.')
    }
  }
}
