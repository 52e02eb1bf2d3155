import { getStorage } from '@alcove/contract/files'
import { Anchor } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { send } from '../api/api.ts'
import { largestOnSale, plansQuery } from '../api/plans-on-sale.ts'
import { queryKeys } from '../api/query-keys.ts'
import { formatSize } from '../lib/format.ts'
import { hasPlans } from '../lib/site.ts'
import { useFreeVersions } from './free-versions.tsx'
import styles from './SpaceOffers.module.css'

/**
 * What helps against a full storage: emptying the trash and deleting earlier versions, unless there are none, and the plans,
 * unless the user has the largest.
 */
export function SpaceOffers() {
  const { trashedBytes, versionBytes, hasLargerPlan } = useSpaceOffers()
  const freeVersions = useFreeVersions()
  if (trashedBytes === undefined && versionBytes === undefined && !hasLargerPlan) return null
  return (
    <span className={styles.offers}>
      {trashedBytes !== undefined && (
        <Anchor component={Link} to="/trash" inherit>
          Empty the trash to free {formatSize(trashedBytes)}
        </Anchor>
      )}
      {versionBytes !== undefined && (
        <Anchor component="button" type="button" inherit onClick={freeVersions}>
          Delete earlier versions to free up to {formatSize(versionBytes)}
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

/** The space that earlier versions take, with a button that frees it. */
export function EarlierVersions({ bytes }: { readonly bytes: number }) {
  const freeVersions = useFreeVersions()
  return (
    <span className={styles.earlier}>
      <span className={styles.bytes}>Earlier versions: {formatSize(bytes)}</span>
      <Anchor
        component="button"
        type="button"
        inherit
        aria-label="Free up the space of earlier versions"
        onClick={freeVersions}
      >
        Free up
      </Anchor>
    </span>
  )
}

/** What a user without enough free space can do. */
interface Offers {
  /** The space that emptying the trash frees; undefined if it is empty. */
  readonly trashedBytes: number | undefined
  /** The space that earlier versions take; undefined if there are none. */
  readonly versionBytes: number | undefined
  readonly hasLargerPlan: boolean
}

/** Returns the offers that apply to the user; none until they are known. */
function useSpaceOffers(): Offers {
  const { data } = useQuery({
    queryKey: [...queryKeys.storage, 'offers'],
    queryFn: ({ signal }) => send(getStorage, { include: 'trash' }, { signal }),
  })
  const { data: plans } = useQuery({ ...plansQuery, queryFn: hasPlans() ? plansQuery.queryFn : skipToken })
  return {
    trashedBytes: data?.trashed_bytes || undefined,
    versionBytes: data?.version_bytes || undefined,
    hasLargerPlan: data !== undefined && plans !== undefined && data.allocated_bytes < largestOnSale(plans),
  }
}
