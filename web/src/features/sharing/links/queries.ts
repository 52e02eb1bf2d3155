import { createLink, deleteLink, type Link, listItemLinks, updateLink } from '@alcove/contract/links'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useAction } from '../../../api/use-call.ts'
import { patchItem } from '../../../items/lists/item-lists.ts'
import type { LinkSettings } from './link-settings.ts'
import type { LinkTarget } from './link-texts.ts'

/** Returns all links of an item, the first one first. */
export function useItemLinks({ id }: LinkTarget) {
  return useQuery({
    queryKey: queryKeys.itemLinks(id),
    queryFn: async ({ signal }) => (await send(listItemLinks, { id }, { signal })).links,
    // Visitors change the counters.
    staleTime: 0,
  })
}

/** Creates a link, or changes the one with `linkId`. */
export function useSaveLink(item: LinkTarget) {
  const queryClient = useQueryClient()
  return useAction(async ({ linkId, settings }: { linkId: string | undefined; settings: LinkSettings }) => {
    const saved = await (linkId === undefined
      ? send(createLink, { id: item.id, ...settings })
      : send(updateLink, { linkId, ...settings }))
    noteLinks(queryClient, item, (links) =>
      links.some(({ id }) => id === saved.id)
        ? links.map((link) => (link.id === saved.id ? saved : link))
        : [...links, saved],
    )
    return saved
  })
}

/** Deletes a link. */
export function useDeleteLink(item: LinkTarget) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (link: Link) => send(deleteLink, { linkId: link.id }),
    onSuccess: (_done, { id }) => noteLinks(queryClient, item, (links) => links.filter((link) => link.id !== id)),
    onError: () => void queryClient.invalidateQueries({ queryKey: queryKeys.itemLinks(item.id) }),
  })
}

/** Shows a change of an item's links wherever they show. */
function noteLinks(queryClient: QueryClient, item: LinkTarget, change: (links: Link[]) => Link[]): void {
  const queryKey = queryKeys.itemLinks(item.id)
  const links = queryClient.getQueryData<Link[]>(queryKey)
  const changed = links && change(links)
  if (changed) queryClient.setQueryData(queryKey, changed)
  if (changed && 'createdAt' in item)
    patchItem(queryClient, { ...item, isShared: changed.some(({ enabled }) => enabled) })
  else noteUnknownLinks(queryClient)
  void queryClient.invalidateQueries({ queryKey: queryKeys.publicLinks })
}

/** Refetches the lists that show whether items are shared, since it isn't known which other links an item has. */
export function noteUnknownLinks(queryClient: QueryClient): void {
  for (const queryKey of [queryKeys.folders, queryKeys.favorites]) void queryClient.invalidateQueries({ queryKey })
}

/** Returns whether an item has an enabled link besides the first one, as far as that is known. */
export function hasOtherLinks(queryClient: QueryClient, itemId: string): boolean {
  const links = queryClient.getQueryData<Link[]>(queryKeys.itemLinks(itemId))
  return links?.some(({ isFirst, enabled }) => !isFirst && enabled) ?? false
}
