import { getSignInMethods, getSignInOptions } from '@alcove/contract/single-sign-on'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'

const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in options'],
  queryFn: ({ signal }) => send(getSignInOptions, {}, { signal }),
  staleTime: 60_000,
})

/** Returns the ways to sign in, for those who aren't signed in. Undefined until they are known. */
export function useSignInOptions() {
  return useQuery(signInOptionsQuery).data
}

export const signInMethodsKey = ['accounts', 'sign-in methods']

/** Returns whether the account has a password. Those of providers may have none: they confirm changes through the provider. */
export function useHasPassword(): boolean {
  return useSignInMethods().data?.hasPassword ?? true
}

/** Returns how the user can sign in. */
export function useSignInMethods() {
  return useQuery({ queryKey: signInMethodsKey, queryFn: ({ signal }) => send(getSignInMethods, {}, { signal }) })
}
