import type { OutputOf } from '@alcove/contract/call'
import { listFavorites } from '@alcove/contract/favorites'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../lib/api.ts'
import type { ItemLists } from '../../lib/item-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'

export function useFavorites() {
  return useQuery({
    queryKey: queryKeys.favorites,
    queryFn: async ({ signal }) => inLists(await send(listFavorites, {}, { signal })),
  })
}

function inLists(favorites: OutputOf<typeof listFavorites>): ItemLists {
  const items = favorites.map(({ item }) => item)
  return {
    folders: items.filter((item) => item.type === 'folder'),
    files: items.filter((item) => item.type === 'file'),
  }
}
