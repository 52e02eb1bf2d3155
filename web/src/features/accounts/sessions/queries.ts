import { endOtherSessions, endSession, listSessions } from '@alcove/contract/sessions'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'

export const sessionsKey = ['accounts', 'sessions']

export const useEndSession = () => useCall(endSession)
export const useEndOtherSessions = () => useCall(endOtherSessions)

export function useSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await send(listSessions, {}, { signal })).sessions,
  })
}
