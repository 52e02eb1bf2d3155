import { addFavorite, removeFavorite } from '@alcove/contract/favorites'
import type { Item } from '@alcove/contract/items'
import { IconHeartFilled } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, send } from '../../lib/api.ts'
import { parentOf, patchItem } from '../../lib/item-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { notifyError, notifySuccess } from '../../ui/notify.tsx'

const changing = ['change-favorite']

/** Marks an item as a favorite, or no longer; the heart changes at once, and back when that fails. */
export function useToggleFavorite(): (item: Item) => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: changing,
    // One after the other: of two quick clicks the second has the last word.
    scope: { id: 'favorite' },
    mutationFn: ({ type, id, isFavorite }: Item) =>
      send(isFavorite ? removeFavorite : addFavorite, { itemType: type, itemId: id }),
    async onMutate(item) {
      await Promise.all(
        [queryKeys.favorites, queryKeys.folder(parentOf(item))].map((queryKey) =>
          queryClient.cancelQueries({ queryKey }),
        ),
      )
      patchItem(queryClient, { ...item, isFavorite: !item.isFavorite })
    },
    onSuccess: (_done, { isFavorite }) =>
      isFavorite
        ? notifySuccess('Removed from favorites', <IconHeartFilled size={20} color="var(--alcove-text-2)" />)
        : notifySuccess('Added to favorites', <IconHeartFilled size={20} color="var(--alcove-heart)" />),
    onError(error, item) {
      patchItem(queryClient, item)
      if (!(error instanceof ApiError)) notifyError('Failed to update favorites.')
      else notifyError(item.isFavorite ? 'Failed to remove favorite' : 'Failed to add favorite')
    },
    async onSettled(_done, _error, item) {
      if (queryClient.isMutating({ mutationKey: changing }) > 1) return
      await Promise.all(
        [queryKeys.favorites, queryKeys.folder(parentOf(item))].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
    },
  })
  return mutate
}
