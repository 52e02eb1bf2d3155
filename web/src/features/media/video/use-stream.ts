import { getStreamUrl } from '@alcove/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { send } from '../../../lib/api.ts'
import { ownAddress } from '../../../lib/own-address.ts'

/** Addresses live for six hours; before that they are as good as new ones. */
const FRESH = 5 * 3600_000

/** How a video is played, and from where. `renew` fetches other addresses, once: false says that it is no use. */
export function useStream(id: string) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['stream', id],
    queryFn: async ({ signal }) => {
      const { kind, url, playlist } = await send(getStreamUrl, { id }, { signal })
      return { kind, url: ownAddress(url), playlist: playlist === undefined ? undefined : ownAddress(playlist) }
    },
    staleTime: FRESH,
    gcTime: FRESH,
  })
  const isRenewed = useRef(false)

  async function renew(): Promise<boolean> {
    if (isRenewed.current) return false
    isRenewed.current = true
    const { data: fresh } = await refetch()
    return fresh !== undefined && fresh.url !== data?.url
  }
  return { stream: data, error, isFetching, refetch, renew }
}
