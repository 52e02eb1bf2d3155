import type { OutputOf } from '@alcove/contract/call'
import { listFavorites } from '@alcove/contract/favorites'
import type { PathStep } from '@alcove/contract/items'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { completeList, type ItemList } from '../../items/lists/item-lists.ts'
import { DEFAULT_SORT, type Sort, sortItems } from '../../items/lists/item-order.ts'

export function useFavorites() {
  return useQuery({
    queryKey: queryKeys.favorites,
    queryFn: async ({ signal }) => inOrder(await send(listFavorites, {}, { signal })),
  })
}

/** Returns the favorites in an order; undefined while they are loading. */
export function useSortedFavorites({ field, order }: Sort): ItemList | undefined {
  const { data } = useFavorites()
  return useMemo(() => data && completeList(sortItems(data.items, { field, order })), [data, field, order])
}

function inOrder(favorites: OutputOf<typeof listFavorites>): ItemList {
  return completeList(
    sortItems(
      favorites.map(({ item }) => item),
      DEFAULT_SORT,
    ),
  )
}

/** Returns the address of a folder among the favorites, or that of all favorites. */
export function favoritesAddress(folderId: string | undefined): string {
  return folderId ? `/favorites?folder=${encodeURIComponent(folderId)}` : '/favorites'
}

/** Returns the ancestors of a folder, starting with the topmost one that is a favorite. */
export function pathFromFavorite(path: readonly PathStep[], favorites: readonly { readonly id: string }[]): PathStep[] {
  const ids = new Set(favorites.map(({ id }) => id))
  const start = path.findIndex(({ id }) => ids.has(id))
  return start === -1 ? [] : path.slice(start)
}
