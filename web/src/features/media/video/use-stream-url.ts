import { getStreamUrl } from '@alcove/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { send } from '../../../lib/api.ts'
import { ownAddress } from '../../../lib/own-address.ts'

/** An address lives for six hours; before that it is as good as a new one. */
const FRESH = 5 * 3600_000

/** The address that a video is played from. `renew` fetches another one, once: false says that it is no use. */
export function useStreamUrl(id: string) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['stream', id],
    queryFn: async ({ signal }) => ownAddress((await send(getStreamUrl, { id }, { signal })).url),
    staleTime: FRESH,
    gcTime: FRESH,
  })
  const isRenewed = useRef(false)

  async function renew(): Promise<boolean> {
    if (isRenewed.current) return false
    isRenewed.current = true
    const { data: fresh } = await refetch()
    return fresh !== undefined && fresh !== data
  }
  return { url: data, error, isFetching, refetch, renew }
}
