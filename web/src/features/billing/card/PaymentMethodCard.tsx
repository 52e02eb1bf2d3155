import { Skeleton, VisuallyHidden } from '@mantine/core'
import { DashboardCard, OpenPortalButton } from '../DashboardCard.tsx'
import type { Dashboard } from '../queries.ts'
import styles from './PaymentMethodCard.module.css'

/** Shows the card that is charged. */
export function PaymentMethodCard() {
  return (
    <DashboardCard title="Current Payment Method" skeleton={<MethodSkeleton />} needsProvider>
      {({ payment_method, portal_url }) => (
        <div className={styles.line}>
          {payment_method ? (
            <PaymentMethod method={payment_method} />
          ) : (
            <p className={styles.none}>No default payment method found.</p>
          )}
          {(payment_method || portal_url) && <OpenPortalButton portalUrl={portal_url} />}
        </div>
      )}
    </DashboardCard>
  )
}

function PaymentMethod({ method }: { readonly method: NonNullable<Dashboard['payment_method']> }) {
  const brand = method.brand.toUpperCase()
  return (
    <div className={styles.method}>
      <span className={styles.picture} aria-hidden>
        {brand.slice(0, 6)}
      </span>
      <div>
        <div className={styles.number}>
          {brand} <span aria-hidden>••••</span>
          <VisuallyHidden component="span">ending in</VisuallyHidden> {method.last4}
        </div>
        <div className={styles.expiry}>
          Expires {String(method.exp_month).padStart(2, '0')}/{method.exp_year}
        </div>
      </div>
    </div>
  )
}

function MethodSkeleton() {
  return (
    <div className={styles.method}>
      <Skeleton height={38} width={56} />
      <div>
        <Skeleton height={12} width={110} my={4} />
        <Skeleton height={12} width={90} my={4} />
      </div>
    </div>
  )
}
