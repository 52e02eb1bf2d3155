import { getPublicFolder, getPublicItem, unlockPublicLink } from '@alcove/contract/sharing'
import { useQuery } from '@tanstack/react-query'
import { ApiError, send } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import type { Visit } from './link-address.ts'

/** What a link shares, or a folder inside it. */
export function usePublicItem({ token, access }: Visit, folderId: string | undefined) {
  return useQuery({
    queryKey: ['public', token, access, folderId],
    queryFn: ({ signal }) =>
      folderId === undefined
        ? send(getPublicItem, { token, access }, { signal })
        : send(getPublicFolder, { token, access, id: folderId }, { signal }),
  })
}

export function useUnlock() {
  return useCall(unlockPublicLink)
}

/** Why a link shows nothing. */
export function problemOf(error: Error): 'missing' | 'locked' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.body?.code === 'password_required') return 'locked'
  return error.status === 404 || error.status === 400 ? 'missing' : 'failed'
}
