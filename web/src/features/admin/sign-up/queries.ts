import { getSignUpSettings } from '@alcove/contract/admin-sign-up'
import { listInvitations } from '@alcove/contract/invitations'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { adminKeys } from '../queries.ts'

export const signUpQuery = queryOptions({
  queryKey: adminKeys.signUp,
  queryFn: ({ signal }) => send(getSignUpSettings, {}, { signal }),
})

export const invitationsQuery = infiniteQueryOptions({
  queryKey: adminKeys.invitations,
  queryFn: ({ pageParam, signal }) => send(listInvitations, { cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  staleTime: 0,
})
