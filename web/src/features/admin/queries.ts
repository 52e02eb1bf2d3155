import { listAuditLog } from '@alcove/contract/audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'

/** The keys of everything that only administrators load. */
export const adminKeys = {
  auditLog: ['admin', 'audit-log'],
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
