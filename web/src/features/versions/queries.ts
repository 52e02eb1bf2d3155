import { getItem } from '@alcove/contract/item-calls'
import type { File } from '@alcove/contract/items'
import { listVersions } from '@alcove/contract/versions'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** Versions per page. The next page is fetched before the end of the last one comes into view. */
const PAGE_SIZE = 100

export const versionListKey = (fileId: string) => [...queryKeys.versionsOf(fileId), 'list']

/** Queries the earlier versions of a file, newest first. They may change on other devices, so opening them refetches them. */
export function useVersions(fileId: string) {
  return useInfiniteQuery({
    queryKey: versionListKey(fileId),
    queryFn: ({ pageParam, signal }) =>
      send(listVersions, { id: fileId, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  })
}

/** Queries a file, whose size and date change when a version is restored. */
export function useCurrentFile(known: File): File {
  const { data } = useQuery({
    queryKey: queryKeys.item(known.id),
    queryFn: ({ signal }) => send(getItem, { id: known.id }, { signal }),
    staleTime: 0,
  })
  return data?.item.type === 'file' ? data.item : known
}
