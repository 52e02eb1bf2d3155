import {
  listPublicLinks,
  revokePublicLink,
  revokePublicLinks,
  type SharedItem,
  updatePublicLink,
} from '@alcove/contract/sharing'
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { patchItem } from '../../../items/lists/item-lists.ts'
import { notifyError, notifySuccess, notifyWithAction } from '../../../ui/toasts/notify.tsx'

interface LinkPage {
  readonly links: SharedItem[]
  readonly nextCursor: string | null
  readonly total: number
}

const UPDATE_FAILED = 'Failed to update public link settings.'

/** Returns the enabled public links, page by page. */
export function useSharedLinks() {
  return useInfiniteQuery({
    queryKey: queryKeys.publicLinks,
    queryFn: ({ pageParam, signal }) => send(listPublicLinks, { cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => ({ links: pages.flatMap((page) => page.links), total: pages[0]?.total ?? 0 }),
  })
}

/** Disables one link: removes it from the list at once, and restores it by Undo or after a failure. */
export function useDisableLink() {
  const queryClient = useQueryClient()
  const queryKey = queryKeys.publicLinks
  const refresh = () => queryClient.invalidateQueries({ queryKey })

  async function enable({ item }: SharedItem) {
    try {
      await send(updatePublicLink, { id: item.id, enabled: true })
      patchItem(queryClient, { ...item, isShared: true })
    } catch {
      notifyError(UPDATE_FAILED)
    }
    await refresh()
  }

  return useMutation({
    mutationFn: ({ item }: SharedItem) => send(revokePublicLink, { id: item.id }),
    async onMutate({ item }) {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<InfiniteData<LinkPage>>(queryKey)
      queryClient.setQueryData<InfiniteData<LinkPage>>(queryKey, (data) => data && withoutLink(data, item.id))
      return { before }
    },
    onSuccess(_link, shared) {
      patchItem(queryClient, { ...shared.item, isShared: false })
      notifyWithAction('Link disabled.', { label: 'Undo', run: () => void enable(shared) })
    },
    async onError(_error, _shared, context) {
      // At once, since a refetch may wait for the network.
      if (context) queryClient.setQueryData(queryKey, context.before)
      notifyError(UPDATE_FAILED)
      await refresh()
    },
  })
}

function withoutLink(data: InfiniteData<LinkPage>, itemId: string): InfiniteData<LinkPage> {
  const pages = data.pages.map((page) => ({
    ...page,
    links: page.links.filter(({ item }) => item.id !== itemId),
    total: page.total - 1,
  }))
  return { ...data, pages }
}

/** Disables all links. */
export function useDisableAllLinks() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => send(revokePublicLinks, {}),
    onSuccess: () => notifySuccess('All public links are disabled.'),
    onError: () => notifyError(UPDATE_FAILED),
    // Any list of items may contain some of them, and show them as shared.
    onSettled: () =>
      Promise.all(
        [queryKeys.publicLinks, queryKeys.folders, queryKeys.favorites, ['public-link']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
