import { Skeleton } from '@mantine/core'
import { Notice } from '../../ui/Notice.tsx'
import { DashboardCard, OpenPortalButton } from './DashboardCard.tsx'
import type { Dashboard } from './queries.ts'
import styles from './SubscriptionDetailsCard.module.css'
import { describeTrouble, detailsOf } from './subscription-details.ts'

/** Shows the plan, its price and its next billing date. */
export function SubscriptionDetailsCard() {
  return (
    <DashboardCard title="Subscription Details" skeleton={<DetailsSkeleton />}>
      {(dashboard) => <SubscriptionDetails dashboard={dashboard} />}
    </DashboardCard>
  )
}

function SubscriptionDetails({ dashboard }: { readonly dashboard: Dashboard }) {
  const trouble = describeTrouble(dashboard.subscription)
  return (
    <>
      {dashboard.providerUnavailable && (
        <div className={styles.notice}>
          <Notice tone="info" text="The card provider isn’t responding right now. These are its latest details." />
        </div>
      )}
      {trouble && (
        <div className={styles.notice}>
          <Notice
            tone="warning"
            text={trouble}
            action={<OpenPortalButton portalUrl={dashboard.portal_url} size="xs" />}
          />
        </div>
      )}
      <dl className={styles.details}>
        {detailsOf(dashboard.subscription).map(([label, value]) => (
          <div className={styles.detail} key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function DetailsSkeleton() {
  return (
    <div className={styles.details}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
        <div className={styles.detail} key={place}>
          <Skeleton height={12} width={96} my={4} />
          <Skeleton height={12} width={72} my={4} />
        </div>
      ))}
    </div>
  )
}
