import { getStreamUrl } from '@alcove/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { send } from '../../../api/api.ts'
import { ownAddress } from '../../../api/own-address.ts'
import { sourcesOf } from '../stream-sources.ts'

/** Addresses live for six hours; before that they are as good as new ones. */
const FRESH = 5 * 3600_000
/** An address that fails sooner than this was good: the video is the matter. */
const YOUNG = 60_000

/** How a video is played, and from where. `renew` fetches other addresses, once: false says that it is no use. */
export function useStream(id: string) {
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['stream', id],
    queryFn: async ({ signal }) => {
      const stream = await send(getStreamUrl, { id }, { signal })
      return { sources: sourcesOf(stream), storyboard: stream.storyboard && ownAddress(stream.storyboard) }
    },
    staleTime: FRESH,
    gcTime: FRESH,
  })
  const isRenewed = useRef(false)

  async function renew(): Promise<boolean> {
    if (isRenewed.current || Date.now() - dataUpdatedAt < YOUNG) return false
    isRenewed.current = true
    return (await refetch()).isSuccess
  }
  return { stream: data, error, isFetching, refetch, renew }
}
