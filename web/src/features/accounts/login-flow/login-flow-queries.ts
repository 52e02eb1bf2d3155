import { getLoginFlow } from '@alcove/contract/login-flows'
import { useQuery } from '@tanstack/react-query'
import { ApiError, send } from '../../../api/api.ts'

/** Loads the app that asks for access. */
export function useLoginFlow(token: string) {
  return useQuery({
    queryKey: ['accounts', 'login-flow', token],
    queryFn: ({ signal }) => send(getLoginFlow, { token }, { signal }),
  })
}

/** Returns whether a request of an app has expired, was answered or never existed, so that nothing can be done about it here. */
export function isOver(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}
