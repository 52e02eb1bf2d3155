import { Skeleton } from '@mantine/core'
import { Notice } from '../../ui/Notice.tsx'
import { DashboardCard } from './DashboardCard.tsx'
import { OpenPortalButton } from './OpenPortalButton.tsx'
import type { Dashboard } from './queries.ts'
import styles from './SubscriptionDetailsCard.module.css'
import { describeTrouble, detailsOf } from './subscription-details.ts'

/** What is paid for, and until when. */
export function SubscriptionDetailsCard() {
  return (
    <DashboardCard title="Subscription Details" skeleton={<FactsSkeleton />}>
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
          <Notice tone="info" text="The card provider does not answer right now. This is what we last heard from it." />
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

function FactsSkeleton() {
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
