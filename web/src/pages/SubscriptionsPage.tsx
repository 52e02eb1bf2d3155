import { Navigate } from 'react-router'
import { useCheckoutReturn } from '../features/billing/plans/checkout-return.ts'
import { FormerPlanNotice } from '../features/billing/plans/FormerPlanNotice.tsx'
import { PaidFeaturesCard } from '../features/billing/plans/PaidFeaturesCard.tsx'
import { PlanPicker } from '../features/billing/plans/PlanPicker.tsx'
import { usePurchase, useResumedPurchase } from '../features/billing/plans/use-purchase.ts'
import { hasPlans } from '../lib/site.ts'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './SubscriptionsPage.module.css'

/** On a server without plans, the address leads to the files. */
export function SubscriptionsPage() {
  return hasPlans() ? <Plans /> : <Navigate to="/profile" replace />
}

function Plans() {
  const purchase = usePurchase()
  useResumedPurchase(purchase.choose)
  useCheckoutReturn()
  return (
    <>
      <PageHeading>Cloud Storage Plans</PageHeading>
      <FormerPlanNotice />
      <PlanPicker purchase={purchase} headingLevel={2} />
      <div className={styles.features}>
        <PaidFeaturesCard />
      </div>
    </>
  )
}
