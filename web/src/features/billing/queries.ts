import { getDashboard, getPaymentSettings } from '@alcove/contract/billing'
import type { OutputOf } from '@alcove/contract/call'
import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { send } from '../../api/api.ts'
import { storageQuery } from '../../api/fetch-storage.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { getSession, rememberPlan, useSession } from '../../api/session.ts'

export type Dashboard = OutputOf<typeof getDashboard>
export type PaymentSettings = OutputOf<typeof getPaymentSettings>

/** Payment settings change only with the configuration of the server. */
const RARELY_CHANGED = 10 * 60_000

export function usePaymentSettings() {
  return useQuery({
    queryKey: ['payment-settings'],
    queryFn: ({ signal }) => send(getPaymentSettings, {}, { signal }),
    staleTime: RARELY_CHANGED,
  })
}

/** Returns the user's plan: as the server says or, until then, as this browser remembers; undefined without a session. */
export function useCurrentPlanId(): number | undefined {
  const { token, planId } = useSession()
  const { data } = useQuery({ ...storageQuery, queryFn: token ? storageQuery.queryFn : skipToken })
  return token ? (data?.plan_id ?? planId) : undefined
}

export function useDashboard() {
  return useQuery({
    queryKey: queryKeys.dashboard,
    queryFn: ({ signal }) => fetchDashboard(signal),
    // The user may have changed something in the tab of the billing portal.
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

/** Refetches what depends on the plan. Cancels requests in progress, whose responses may be from before the change. */
export async function refreshPlan(queryClient: QueryClient): Promise<unknown> {
  const keys = [queryKeys.storage, queryKeys.dashboard]
  await Promise.all(keys.map((queryKey) => queryClient.cancelQueries({ queryKey })))
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
