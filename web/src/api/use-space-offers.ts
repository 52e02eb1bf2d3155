import { getStorage } from '@alcove/contract/files'
import { allocationOf, plans } from '@alcove/contract/plans'
import { useQuery } from '@tanstack/react-query'
import { send } from './api.ts'
import { queryKeys } from './query-keys.ts'

/** What a user without enough free space can do about it. */
export interface SpaceOffers {
  /** What emptying the trash frees; undefined when it is empty. */
  readonly trashedBytes: number | undefined
  readonly hasLargerPlan: boolean
}

const LARGEST_PLAN = Math.max(...plans.map(allocationOf))

/** Reads the offers that apply to the user; none until they are known. */
export function useSpaceOffers(): SpaceOffers {
  const { data } = useQuery({
    queryKey: [...queryKeys.storage, 'offers'],
    queryFn: ({ signal }) => send(getStorage, { include: 'trash' }, { signal }),
  })
  return {
    trashedBytes: data?.trashed_bytes || undefined,
    hasLargerPlan: data !== undefined && data.allocated_bytes < LARGEST_PLAN,
  }
}
