import { deleteLink, updateLink } from '@alcove/contract/links'
import { listPublicLinks, revokePublicLinks, type SharedItem } from '@alcove/contract/sharing'
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { notifyError, notifySuccess, notifyWithAction } from '../../../ui/toasts/notify.tsx'
import { noteUnknownLinks } from '../links/queries.ts'

interface LinkPage {
  readonly links: SharedItem[]
  readonly nextCursor: string | null
  readonly total: number
}

const UPDATE_FAILED = 'Failed to update public link settings.'
const queryKey = queryKeys.publicLinks

/** Returns the public links, page by page. */
export function useSharedLinks() {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => send(listPublicLinks, { cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => ({ links: pages.flatMap((page) => page.links), total: pages[0]?.total ?? 0 }),
  })
}

/** Enables a link again. */
export function useEnableLink() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: SharedItem) => send(updateLink, { linkId: id, enabled: true }),
    onError: () => notifyError(UPDATE_FAILED),
    onSettled: (_link, _error, shared) => refresh(queryClient, shared),
  })
}

/** Disables one link at once, and enables it by Undo or after a failure. A first link then leaves the list. */
export function useDisableLink() {
  const queryClient = useQueryClient()
  const { mutate: enable } = useEnableLink()
  return useMutation({
    mutationFn: ({ id }: SharedItem) => send(updateLink, { linkId: id, enabled: false }),
    onMutate: (shared) =>
      changeList(queryClient, shared, shared.isFirst ? undefined : { ...shared, enabled: false, state: 'disabled' }),
    onSuccess(_link, shared) {
      noteChange(queryClient, shared)
      notifyWithAction('Link disabled.', { label: 'Undo', run: () => enable(shared) })
    },
    onError: (_error, shared, context) => restore(queryClient, shared, context, UPDATE_FAILED),
  })
}

/** Deletes a link for good. */
export function useDeleteSharedLink() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: SharedItem) => send(deleteLink, { linkId: id }),
    onMutate: (shared) => changeList(queryClient, shared, undefined),
    onSuccess(_done, shared) {
      noteChange(queryClient, shared)
      notifySuccess('Link deleted.')
    },
    onError: (_error, shared, context) => restore(queryClient, shared, context, 'Failed to delete the link.'),
  })
}

type Links = InfiniteData<LinkPage>

/** Replaces or removes a link in the list. Returns the list before. */
async function changeList(queryClient: QueryClient, { id }: SharedItem, changed: SharedItem | undefined) {
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData<Links>(queryKey)
  queryClient.setQueryData<Links>(
    queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          links: page.links.flatMap((link) => (link.id === id ? (changed ?? []) : link)),
          total: page.total - (changed ? 0 : 1),
        })),
      },
  )
  return { before }
}

async function restore(
  queryClient: QueryClient,
  shared: SharedItem,
  context: { readonly before: Links | undefined } | undefined,
  text: string,
): Promise<void> {
  // At once, since a refetch may wait for the network.
  if (context) queryClient.setQueryData(queryKey, context.before)
  notifyError(text)
  await refresh(queryClient, shared)
}

async function refresh(queryClient: QueryClient, shared: SharedItem): Promise<void> {
  noteChange(queryClient, shared)
  await queryClient.invalidateQueries({ queryKey })
}

/** Has everything refetched that shows the links of the item. */
function noteChange(queryClient: QueryClient, { item, isFirst }: SharedItem): void {
  noteUnknownLinks(queryClient)
  void queryClient.invalidateQueries({ queryKey: queryKeys.itemLinks(item.id) })
  if (isFirst) void queryClient.invalidateQueries({ queryKey: queryKeys.firstLink(item.id) })
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
        [queryKey, queryKeys.folders, queryKeys.favorites, ['public-link'], ['item-links']].map((stale) =>
          queryClient.invalidateQueries({ queryKey: stale }),
        ),
      ),
  })
}
