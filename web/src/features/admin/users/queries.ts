import { getUser, listUsers } from '@alcove/contract/admin-users'
import type { InputOf } from '@alcove/contract/call'
import type { UserSort } from '@alcove/contract/user-states'
import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { send } from '../../../api/api.ts'
import { optionsOf, planCatalogueQuery } from '../plans/queries.ts'
import { adminKeys } from '../queries.ts'
import type { UserOrder } from './user-texts.ts'

/** What the list shows. */
export interface UserFilter extends Pick<InputOf<typeof listUsers>, 'search' | 'state' | 'role' | 'planId'> {
  readonly order: UserOrder
}

/** How many users are loaded at a time. */
const PAGE = 500

/** Returns the users that match, as far as they have been loaded, and how many there are. */
export function useUsers({ order, ...filter }: UserFilter) {
  const [sort, direction] = order.split(' ') as [UserSort, 'asc' | 'desc']
  const { data, ...query } = useInfiniteQuery({
    queryKey: [...adminKeys.users, filter, order],
    queryFn: ({ pageParam, signal }) =>
      send(listUsers, { ...filter, sort, order: direction, limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const users = useMemo(() => data?.pages.flatMap((page) => page.users), [data])
  return { ...query, users, total: data?.pages[0]?.total ?? undefined }
}

export function useUser(id: string) {
  return useQuery({
    queryKey: adminKeys.user(id),
    queryFn: ({ signal }) => send(getUser, { id }, { signal }),
    staleTime: 0,
  })
}

/** Returns the plans that can be given, with the free one, and those that are no longer sold, once they have loaded. */
export function usePlanChoices() {
  const { data } = useQuery(planCatalogueQuery)
  return useMemo(
    () => ({
      onSale: [{ value: '0', label: 'Free' }, ...optionsOf(data?.plans ?? [])],
      former: optionsOf(data?.former ?? []),
    }),
    [data],
  )
}

/** Fetches everything anew that a change of a user shows in. */
export function refreshUsers(queryClient: QueryClient, id: string): void {
  void queryClient.invalidateQueries({ queryKey: adminKeys.users })
  void queryClient.invalidateQueries({ queryKey: adminKeys.user(id) })
  void queryClient.invalidateQueries({ queryKey: adminKeys.auditLog })
}
