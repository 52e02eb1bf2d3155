import { listSharedWithMe, type SharedFolder } from '@alcove/contract/members'
import { suffices } from '@alcove/contract/roles'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

export const sharedWithMeQuery = queryOptions({
  queryKey: queryKeys.sharedWithMe,
  queryFn: ({ signal }) => send(listSharedWithMe, {}, { signal }),
})

/** How long the file manager believes a role, in milliseconds. The server checks it with each request anyway. */
const ROLE_STALE_TIME = 60_000

/**
 * Returns the folder that somebody shares with the user in which a folder lies, given the ids of that and of those above it. The one
 * with the highest role counts. Undefined for own folders, and until it is known.
 */
export function useSharedAround(folderIds: readonly string[]): SharedFolder | undefined {
  const { data } = useQuery({ ...sharedWithMeQuery, enabled: folderIds.length > 0, staleTime: ROLE_STALE_TIME })
  const found = data?.folders.filter(({ id }) => folderIds.includes(id))
  return found?.reduce<SharedFolder | undefined>(
    (highest, folder) => (highest && suffices(highest.role, folder.role) ? highest : folder),
    undefined,
  )
}
