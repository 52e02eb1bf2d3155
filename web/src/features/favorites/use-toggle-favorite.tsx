import { addFavorite, favoriteItems, removeFavorite } from '@alcove/contract/favorites'
import type { Item } from '@alcove/contract/items'
import { IconHeartFilled } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError, send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { runChange } from '../../items/changes.ts'
import type { Everything, ItemActions } from '../../items/item-actions.ts'
import { parentOf, patchItems } from '../../items/lists/item-lists.ts'
import { plural } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'

/** The calls run one after the other, so that the second of two quick clicks on a heart wins. */
let last: Promise<unknown> = Promise.resolve()

/** Returns a function that adds items to the favorites or removes them. The hearts change at once, and back on failure. */
export function useToggleFavorite(): NonNullable<ItemActions['toggleFavorite']> {
  const queryClient = useQueryClient()
  return useCallback(
    (items, isFavorite, everything) => {
      const changed = items.filter((item) => item.isFavorite !== isFavorite)
      if (changed.length === 0 && !everything) return
      const change = runChange(queryClient, {
        touches: [queryKeys.favorites, queryKeys.items, ...foldersOf(changed, everything)],
        show() {
          patchItems(
            queryClient,
            changed.map((item) => ({ ...item, isFavorite })),
          )
          return () => patchItems(queryClient, changed)
        },
        call() {
          const call = last.then(() => mark(changed, everything, isFavorite))
          last = call.catch(() => {})
          return call
        },
      })
      const count = everything?.count ?? changed.length
      change.then(
        () => notifySuccess(doneText(count, isFavorite), <HeartIcon isSet={isFavorite} />),
        (error) => notifyError(failedText(error, count, isFavorite)),
      )
    },
    [queryClient],
  )
}

function mark(items: readonly Item[], everything: Everything | undefined, isFavorite: boolean): Promise<unknown> {
  const [item] = items
  if (everything || items.length !== 1 || !item)
    return send(favoriteItems, { ...selectionOf(items, everything), isFavorite })
  return send(isFavorite ? addFavorite : removeFavorite, { itemType: item.type, itemId: item.id })
}

function foldersOf(items: readonly Item[], everything: Everything | undefined) {
  const folders = everything ? [everything.folderId] : [...new Set(items.map(parentOf))]
  return folders.map(queryKeys.folder)
}

function selectionOf(items: readonly Item[], everything: Everything | undefined) {
  if (!everything) return { itemIds: items.map(({ id }) => id) }
  return { allIn: { folderId: everything.folderId ?? null, exceptIds: [...everything.exceptIds] } }
}

function doneText(count: number, isFavorite: boolean): string {
  const text = isFavorite ? 'added to favorites' : 'removed from favorites'
  return count === 1 ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : `${plural(count, 'item')} ${text}`
}

function failedText(error: unknown, count: number, isFavorite: boolean): string {
  if (!(error instanceof ApiError) || count !== 1) return 'Failed to update favorites.'
  return isFavorite ? 'Failed to add favorite' : 'Failed to remove favorite'
}

function HeartIcon({ isSet }: { readonly isSet: boolean }) {
  return <IconHeartFilled size={20} color={isSet ? 'var(--alcove-heart)' : 'var(--alcove-text-2)'} />
}
