import { listSharedWithMe } from '@alcove/contract/members'
import { type Role, suffices } from '@alcove/contract/roles'
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
 * Returns the user's role in a folder that somebody shares with them, given the ids of the folder and of those above it. The highest
 * role counts. Undefined for own folders, and until it is known.
 */
export function useRoleIn(folderIds: readonly string[]): Role | undefined {
  const { data } = useQuery({ ...sharedWithMeQuery, enabled: folderIds.length > 0, staleTime: ROLE_STALE_TIME })
  const found = data?.folders.filter(({ id }) => folderIds.includes(id)).map(({ role }) => role)
  return found?.reduce<Role | undefined>(
    (highest, role) => (highest && suffices(highest, role) ? highest : role),
    undefined,
  )
}
