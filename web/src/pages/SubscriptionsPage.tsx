import { PaidFeaturesCard } from '../features/billing/PaidFeaturesCard.tsx'
import { PlanPicker } from '../features/billing/PlanPicker.tsx'
import { useCheckoutReturn } from '../features/billing/use-checkout-return.ts'
import { usePurchase } from '../features/billing/use-purchase.ts'
import { useResumedPurchase } from '../features/billing/use-resumed-purchase.ts'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './SubscriptionsPage.module.css'

export function SubscriptionsPage() {
  const purchase = usePurchase()
  useResumedPurchase(purchase.choose)
  useCheckoutReturn()
  return (
    <>
      <PageHeading>Cloud Storage Plans</PageHeading>
      <PlanPicker purchase={purchase} headingLevel={2} />
      <div className={styles.features}>
        <PaidFeaturesCard />
      </div>
    </>
  )
}
