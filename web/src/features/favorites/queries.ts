import type { OutputOf } from '@alcove/contract/call'
import { listFavorites } from '@alcove/contract/favorites'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../lib/api.ts'
import { completeList, type ItemList } from '../../lib/item-lists.ts'
import { DEFAULT_SORT, sortItems } from '../../lib/item-order.ts'
import { queryKeys } from '../../lib/query-keys.ts'

export function useFavorites() {
  return useQuery({
    queryKey: queryKeys.favorites,
    queryFn: async ({ signal }) => inOrder(await send(listFavorites, {}, { signal })),
  })
}

function inOrder(favorites: OutputOf<typeof listFavorites>): ItemList {
  return completeList(
    sortItems(
      favorites.map(({ item }) => item),
      DEFAULT_SORT,
    ),
  )
}
