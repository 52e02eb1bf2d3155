import { getBackups } from '@alcove/contract/admin-backups'
import { getChecks, type runChecks } from '@alcove/contract/admin-checks'
import { getJobs } from '@alcove/contract/admin-jobs'
import { getOverview } from '@alcove/contract/admin-overview'
import { getSignInSettings } from '@alcove/contract/admin-sign-in'
import { getAdminStorage } from '@alcove/contract/admin-storage'
import { listAuditLog } from '@alcove/contract/audit'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'

/** The keys of everything that only administrators load. */
export const adminKeys = {
  overview: ['admin', 'overview'],
  auditLog: ['admin', 'audit-log'],
  checks: ['admin', 'checks'],
  storage: ['admin', 'storage'],
  users: ['admin', 'users'],
  user: (id: string) => ['admin', 'user', id] as const,
  jobs: ['admin', 'jobs'],
  appearance: ['admin', 'appearance'],
  legalTexts: ['admin', 'legal-texts'],
  maintenance: ['admin', 'maintenance'],
  signIn: ['admin', 'sign-in'],
  backups: ['admin', 'backups'],
  signUp: ['admin', 'sign-up'],
  planCatalogue: ['admin', 'plan-catalogue'],
  planSettings: ['admin', 'plan-settings'],
  invitations: ['admin', 'invitations'],
} as const

/** Returns what administrators have done, newest first, page by page. */
export function useAuditLog() {
  return useInfiniteQuery({
    queryKey: adminKeys.auditLog,
    queryFn: ({ pageParam, signal }) => send(listAuditLog, { cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.entries),
    staleTime: 0,
  })
}

/** Returns what the server has found out about its surroundings in the last hour, with the difference between its clock and this one. */
export function useChecks() {
  return useQuery({ queryKey: adminKeys.checks, queryFn: ({ signal }) => fetchChecks(getChecks, signal), staleTime: 0 })
}

/** Gets the results of the checks, from before or of a new run. */
export async function fetchChecks(call: typeof getChecks | typeof runChecks, signal?: AbortSignal) {
  const results = await send(call, {}, signal && { signal })
  return { ...results, clockDifference: Date.parse(results.serverTime) - Date.now() }
}

/** Returns what needs an administrator, and how many users there are. */
export function useOverview() {
  return useQuery({
    queryKey: adminKeys.overview,
    queryFn: ({ signal }) => send(getOverview, {}, { signal }),
    staleTime: 0,
  })
}

/** While something is in progress, its screen asks for news this often. In milliseconds. */
const NEWS_EVERY = 5000

export function useAdminStorage() {
  return useQuery({
    queryKey: adminKeys.storage,
    queryFn: ({ signal }) => send(getAdminStorage, {}, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.scrub.state !== 'idle' ? NEWS_EVERY : false),
  })
}

export function useJobs() {
  return useQuery({
    queryKey: adminKeys.jobs,
    queryFn: ({ signal }) => send(getJobs, {}, { signal }),
    staleTime: 0,
    refetchInterval: NEWS_EVERY,
  })
}

/** Returns how people sign in. */
export function useSignInSettings() {
  return useQuery({
    queryKey: adminKeys.signIn,
    queryFn: ({ signal }) => send(getSignInSettings, {}, { signal }),
    staleTime: 0,
  })
}

export function useBackups() {
  return useQuery({
    queryKey: adminKeys.backups,
    queryFn: ({ signal }) => send(getBackups, {}, { signal }),
    staleTime: 0,
    refetchInterval: NEWS_EVERY,
  })
}
