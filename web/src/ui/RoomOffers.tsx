import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { formatSize } from '../lib/format.ts'
import { useRoomOffers } from '../lib/use-room-offers.ts'
import styles from './RoomOffers.module.css'

/** Links to what makes room: the trash, unless it is empty, and the plans, unless the user has the largest. */
export function RoomOffers() {
  const { trashedBytes, hasLargerPlan } = useRoomOffers()
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
