import { getStorage } from '@alcove/contract/files'
import { allocationOf, plans } from '@alcove/contract/plans'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { send } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { formatSize } from '../lib/format.ts'
import styles from './SpaceOffers.module.css'

/** Links that help against a full storage: the trash, unless it is empty, and the plans, unless the user has the largest. */
export function SpaceOffers() {
  const { trashedBytes, hasLargerPlan } = useSpaceOffers()
  if (trashedBytes === undefined && !hasLargerPlan) return null
  return (
    <span className={styles.offers}>
      {trashedBytes !== undefined && (
        <Anchor component={Link} to="/trash" inherit>
          Empty the trash to free {formatSize(trashedBytes)}
        </Anchor>
      )}
      {hasLargerPlan && (
        <Anchor component={Link} to="/subscriptions" inherit>
          See plans
        </Anchor>
      )}
    </span>
  )
}

/** What a user without enough free space can do. */
interface Offers {
  /** The space that emptying the trash frees; undefined if it is empty. */
  readonly trashedBytes: number | undefined
  readonly hasLargerPlan: boolean
}

const LARGEST_PLAN = Math.max(...plans.map(allocationOf))

/** Returns the offers that apply to the user; none until they are known. */
function useSpaceOffers(): Offers {
  const { data } = useQuery({
    queryKey: [...queryKeys.storage, 'offers'],
    queryFn: ({ signal }) => send(getStorage, { include: 'trash' }, { signal }),
  })
  return {
    trashedBytes: data?.trashed_bytes || undefined,
    hasLargerPlan: data !== undefined && data.allocated_bytes < LARGEST_PLAN,
  }
}
