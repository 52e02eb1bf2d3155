import type { OutputOf } from '@alcove/contract/call'
import { listFavorites } from '@alcove/contract/favorites'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { completeList, type ItemList } from '../../items/lists/item-lists.ts'
import { DEFAULT_SORT, sortItems } from '../../items/lists/item-order.ts'

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
