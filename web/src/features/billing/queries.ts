import { getDashboard, getPaymentSettings, listPlans } from '@alcove/contract/billing'
import type { OutputOf } from '@alcove/contract/call'
import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { send } from '../../api/api.ts'
import { storageQuery } from '../../api/fetch-storage.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { rememberPlan } from '../../api/remember-plan.ts'
import { getSession, useSession } from '../../api/session.ts'

export type Dashboard = OutputOf<typeof getDashboard>
export type PaymentSettings = OutputOf<typeof getPaymentSettings>

/** The catalogue and the way of paying change with the server's settings, not while someone looks. */
const UNCHANGED = 10 * 60_000

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => send(listPlans, {}, { signal }),
  staleTime: UNCHANGED,
})

export function usePlans() {
  return useQuery(plansQuery)
}

export function usePaymentSettings() {
  return useQuery({
    queryKey: ['payment-settings'],
    queryFn: ({ signal }) => send(getPaymentSettings, {}, { signal }),
    staleTime: UNCHANGED,
  })
}

/** Which plan the user has: what the server says, until then what this browser remembers; none without a session. */
export function useCurrentPlanId(): number | undefined {
  const { token, planId } = useSession()
  const { data } = useQuery({ ...storageQuery, queryFn: token ? storageQuery.queryFn : skipToken })
  return token ? (data?.plan_id ?? planId) : undefined
}

export function useDashboard() {
  return useQuery({
    queryKey: queryKeys.dashboard,
    queryFn: ({ signal }) => fetchDashboard(signal),
    // Whoever comes back from the billing portal's tab may have changed something there.
    refetchOnWindowFocus: 'always',
  })
}

async function fetchDashboard(signal: AbortSignal): Promise<Dashboard> {
  const { token } = getSession()
  const dashboard = await send(getDashboard, {}, { signal })
  rememberPlan({ planId: dashboard.subscription.planId, planName: dashboard.subscription.plan }, token)
  return dashboard
}

/** Returns a function that refetches everything that depends on the plan. */
export function useRefreshPlan(): () => Promise<unknown> {
  const queryClient = useQueryClient()
  return useCallback(() => refreshPlan(queryClient), [queryClient])
}

/** A response that is on its way was given before the change, so it is not waited for. */
export async function refreshPlan(queryClient: QueryClient): Promise<unknown> {
  const keys = [queryKeys.storage, queryKeys.dashboard]
  await Promise.all(keys.map((queryKey) => queryClient.cancelQueries({ queryKey })))
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
