import type { InputOf } from '@alcove/contract/call'
import type { Item } from '@alcove/contract/items'
import { getPublicLink, type PublicLink, updatePublicLink } from '@alcove/contract/sharing'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../lib/api.ts'
import { patchItem } from '../../lib/item-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { notifyError } from '../../ui/notify.tsx'

const linkKey = (id: string) => ['public-link', id]

export function usePublicLink({ id }: Item) {
  return useQuery({
    queryKey: linkKey(id),
    queryFn: ({ signal }) => send(getPublicLink, { id }, { signal }),
    // The count of downloads rises without us.
    staleTime: 0,
  })
}

export type LinkChange = Omit<InputOf<typeof updatePublicLink>, 'id'>

/**
 * Changes an item's link. The box is ticked at once; what the server answers is the truth, and of changes that follow
 * each other quickly the last answer is.
 */
export function useUpdatePublicLink(item: Item) {
  const queryClient = useQueryClient()
  const queryKey = linkKey(item.id)
  const mutationKey = ['update-public-link', item.id]
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join() },
    mutationFn: (change: LinkChange) => send(updatePublicLink, { id: item.id, ...change }),
    async onMutate({ enabled }) {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<PublicLink>(queryKey)
      queryClient.setQueryData<PublicLink>(queryKey, (link) => link && { ...link, enabled })
      return { before }
    },
    onSuccess(link) {
      if (queryClient.isMutating({ mutationKey }) > 1) return
      queryClient.setQueryData(queryKey, link)
      patchItem(queryClient, { ...item, isShared: link.enabled })
    },
    onError(error, _change, context) {
      // Asking the server may have to wait for a network.
      if (context) queryClient.setQueryData(queryKey, context.before)
      const text = sentenceOf(error)
      notifyError(text ? `Failed to update public link settings. ${text}` : 'Failed to update public link settings.')
    },
    async onSettled(_link, error) {
      if (queryClient.isMutating({ mutationKey }) > 1) return
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.publicLinks }),
        error && queryClient.invalidateQueries({ queryKey }),
      ])
    },
  })
}
