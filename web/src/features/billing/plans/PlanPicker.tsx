import type { BillingPeriod } from '@alcove/contract/plans'
import { useState } from 'react'
import { LoadError } from '../../../ui/LoadError.tsx'
import { usePaymentSettings, usePlans } from '../queries.ts'
import { TestPaymentsMark } from '../TestPaymentsMark.tsx'
import { BillingPeriodToggle } from './BillingPeriodToggle.tsx'
import { PlanCards } from './PlanCards.tsx'
import styles from './PlanPicker.module.css'
import { findOnSale, plansToShow } from './plans-on-sale.ts'
import type { Purchase } from './use-purchase.ts'

const captions: Readonly<Record<BillingPeriod, string>> = {
  Monthly: 'Flexible monthly payments for ongoing needs.',
  Annually: 'Save more with upfront yearly pricing.',
  Lifetime: 'One-time payment. No subscriptions. Full control, forever.',
}

interface PlanPickerProps {
  readonly purchase: Purchase
  /** The level of the cards' headings: one below what they stand under. */
  readonly headingLevel: 2 | 3
}

/** The plans for sale, by billing period, to choose from. */
export function PlanPicker({ purchase, headingLevel }: PlanPickerProps) {
  const [period, setPeriod] = useState<BillingPeriod>()
  const { data: plans, isError, isFetching, refetch } = usePlans()
  const { data: settings } = usePaymentSettings()
  // A purchase that goes on after the login shows its own plan.
  const shown = period ?? findOnSale(plans, purchase.chosenId)?.period ?? 'Annually'
  return (
    <div className={styles.picker}>
      <BillingPeriodToggle period={shown} onChange={setPeriod} />
      <p className={styles.caption}>{captions[shown]}</p>
      {isError && !plans ? (
        <div className={styles.error}>
          <LoadError text="The plans could not be loaded." isBusy={isFetching} onRetry={() => void refetch()} />
        </div>
      ) : (
        <PlanCards
          plans={plans && plansToShow(plans, shown)}
          period={shown}
          headingLevel={headingLevel}
          purchase={purchase}
          isOff={settings?.mode === 'off'}
        />
      )}
      <p className={styles.note}>Cancel any time and keep access until the end of the billing period. No refunds.</p>
      <div className={styles.mark}>{settings?.mode === 'sandbox' && <TestPaymentsMark />}</div>
    </div>
  )
}
