import { type Activity, listActivity } from '@alcove/contract/activity'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ApiError, send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** Returns what happened in a folder, or in the whole drive, page by page. The entry to which something was added last comes first. */
export function useActivity(folderId: string | undefined) {
  return useInfiniteQuery({
    queryKey: queryKeys.activity(folderId),
    queryFn: ({ pageParam, signal }) => send(listActivity, { folderId, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => sortByTime(pages.flatMap((page) => page.activities)),
    // Changes of one's own in this tab don't make it stale.
    staleTime: 0,
  })
}

/** Returns whether a folder doesn't exist, or not for the user any more. What was loaded before must not stay in view then. */
export function useIsFolderGone(folderId: string | undefined): boolean {
  const { error } = useActivity(folderId)
  return error instanceof ApiError && error.status === 404
}

/** Entries arrive in the order in which they began. */
function sortByTime(entries: readonly Activity[]): Activity[] {
  return entries.toSorted((one, other) => Date.parse(other.lastAt) - Date.parse(one.lastAt))
}
