import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useSpaceOffers } from '../api/use-space-offers.ts'
import { formatSize } from '../lib/format.ts'
import styles from './SpaceOffers.module.css'

/** Links to what makes room: the trash, unless it is empty, and the plans, unless the user has the largest. */
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
