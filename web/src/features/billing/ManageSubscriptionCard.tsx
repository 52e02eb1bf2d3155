import { DEFAULT_ALLOCATION, GIGABYTE } from '@alcove/contract/limits'
import { Button } from '@mantine/core'
import { isPaid, useSession } from '../../api/session.ts'
import { Card } from '../../ui/Card.tsx'
import styles from './ManageSubscriptionCard.module.css'
import { useDashboard } from './queries.ts'
import { useRevertToFree } from './use-revert-to-free.tsx'

const FREE_ROOM = `${DEFAULT_ALLOCATION / GIGABYTE} GB`

/** The way back to the free plan. */
export function ManageSubscriptionCard() {
  const isFree = !isPaid(useSession())
  const { data } = useDashboard()
  const { revert, isBusy } = useRevertToFree(data)
  return (
    <Card title="Manage Subscription">
      <p className={styles.text}>
        {isFree
          ? `You are on the free plan with ${FREE_ROOM}.`
          : `Go back to ${FREE_ROOM}. Nothing is deleted. While you are over ${FREE_ROOM}, new uploads wait until there is room.`}
      </p>
      <Button variant="default" loading={isBusy} disabled={isFree} onClick={revert}>
        Revert to Free Plan
      </Button>
    </Card>
  )
}
