import type { InputOf } from '@alcove/contract/call'
import type { Item } from '@alcove/contract/items'
import { getPublicLink, updatePublicLink } from '@alcove/contract/sharing'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send, sentenceOf } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { patchItem } from '../../items/lists/item-lists.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { hasOtherLinks } from './links/queries.ts'

export function usePublicLink({ id }: Item) {
  return useQuery({
    queryKey: queryKeys.firstLink(id),
    queryFn: ({ signal }) => send(getPublicLink, { id }, { signal }),
    // Downloads by visitors change the count.
    staleTime: 0,
  })
}

export type LinkChange = Omit<InputOf<typeof updatePublicLink>, 'id'>

/** Changes the link of an item. Changes are sent one after another. */
export function useUpdatePublicLink(item: Item) {
  const queryClient = useQueryClient()
  const queryKey = queryKeys.firstLink(item.id)
  return useMutation({
    scope: { id: `update-public-link ${item.id}` },
    mutationFn: (change: LinkChange) => send(updatePublicLink, { id: item.id, ...change }),
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    async onSuccess(link) {
      // A fetch that began meanwhile may bring the link as it was before.
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, link)
      patchItem(queryClient, { ...item, isShared: link.enabled || hasOtherLinks(queryClient, item.id) })
    },
    onError(error) {
      const text = sentenceOf(error)
      notifyError(text ? `Failed to update public link settings. ${text}` : 'Failed to update public link settings.')
    },
    // Not awaited: a refetch may wait for the network.
    onSettled(_link, error) {
      for (const stale of [queryKeys.publicLinks, queryKeys.itemLinks(item.id)])
        void queryClient.invalidateQueries({ queryKey: stale })
      if (error) void queryClient.invalidateQueries({ queryKey })
    },
  })
}
