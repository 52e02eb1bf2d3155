import type { OutputOf } from '@alcove/contract/call'
import { getPublicFolder, getPublicItem } from '@alcove/contract/sharing'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { ApiError, send, sentenceOf } from '../../../api/api.ts'
import { downloadFrom } from '../../../lib/browser-download.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { downloadAddress, type Visit } from './link-address.ts'

/** The query for the item that a link shares, or for a folder inside it. */
export function publicItem({ token, access }: Visit, folderId: string | undefined) {
  return queryOptions({
    queryKey: ['public', token, access, folderId],
    queryFn: ({ signal }) =>
      folderId === undefined
        ? send(getPublicItem, { token, access }, { signal })
        : send(getPublicFolder, { token, access, id: folderId }, { signal }),
  })
}

/** Returns why a link shows nothing. */
export function problemOf(error: Error): 'missing' | 'locked' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.body?.code === 'password_required') return 'locked'
  return error.status === 404 || error.status === 400 ? 'missing' : 'failed'
}

/**
 * Returns a function that has the browser download an item on the page of a link. It loads the page's data again first,
 * because the browser would say nothing to the visitor if the link had ended. The page then shows that by itself.
 */
export function usePublicDownload({ token, access }: Visit, folderId: string | undefined): (id: string) => void {
  const queryClient = useQueryClient()
  const isStarting = useRef(false)

  return useCallback(
    (id) => {
      if (isStarting.current) return
      isStarting.current = true
      const visit = { token, access }
      queryClient
        .fetchQuery({ ...publicItem(visit, folderId), staleTime: 0, retry: false, networkMode: 'always' })
        .then(
          (shown) => {
            if (isOffered(shown, id)) downloadFrom(downloadAddress(visit, id))
            else notifyError('This can no longer be downloaded.')
          },
          (error: Error) => {
            if (problemOf(error) === 'failed') notifyError(sentenceOf(error) ?? 'Failed to download file.')
          },
        )
        .finally(() => {
          isStarting.current = false
        })
    },
    [queryClient, token, access, folderId],
  )
}

/** Returns whether an item can be downloaded: the one that is shown, or a file in it. */
function isOffered(shown: OutputOf<typeof getPublicItem>, id: string): boolean {
  if (shown.type === 'request' || !shown.canDownload) return false
  return shown.id === id || (shown.type === 'folder' && shown.files.some((file) => file.id === id))
}
