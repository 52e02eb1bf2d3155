import { type BillingPeriod, billingPeriods } from '@alcove/contract/plans'
import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useId, useState } from 'react'
import { findOnSale, type PlanOnSale, plansQuery, plansToShow } from '../../../api/plans-on-sale.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useCurrentPlanId, usePaymentSettings } from '../queries.ts'
import { TestPaymentsMark } from '../TestPaymentsMark.tsx'
import { PlanCard, PlanCardSkeleton } from './PlanCard.tsx'
import styles from './PlanPicker.module.css'
import type { Purchase } from './use-purchase.ts'

const captions: Readonly<Record<BillingPeriod, string>> = {
  Monthly: 'Flexible monthly payments for ongoing needs.',
  Annually: 'Save more with upfront yearly pricing.',
  Lifetime: 'One-time payment. No subscriptions. Full control, forever.',
}

interface PlanPickerProps {
  readonly purchase: Purchase
  /** The level of the cards' headings. */
  readonly headingLevel: 2 | 3
}

/** Shows the plans for sale by billing period, and buys one. */
export function PlanPicker({ purchase, headingLevel }: PlanPickerProps) {
  const [period, setPeriod] = useState<BillingPeriod>()
  const { data: plans, isError, isFetching, refetch } = useQuery(plansQuery)
  const { data: settings } = usePaymentSettings()
  // A purchase that is resumed after the login shows its plan.
  const shown = period ?? findOnSale(plans, purchase.chosenId)?.period ?? 'Annually'
  return (
    <div className={styles.picker}>
      <BillingPeriodToggle period={shown} onChange={setPeriod} />
      <p className={styles.caption}>{captions[shown]}</p>
      {isError && !plans ? (
        <div className={styles.error}>
          <LoadError text="Couldn’t load the plans." isBusy={isFetching} onRetry={() => void refetch()} />
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

interface BillingPeriodToggleProps {
  readonly period: BillingPeriod
  readonly onChange: (period: BillingPeriod) => void
}

/** Native radio buttons in a bar, which save the landing page the code of a component from the library. */
function BillingPeriodToggle({ period, onChange }: BillingPeriodToggleProps) {
  const name = useId()
  return (
    <div className={styles.periods} role="radiogroup" aria-label="Billing period">
      {billingPeriods.map((choice) => (
        <label className={styles.period} key={choice}>
          <input
            className={styles.periodInput}
            type="radio"
            name={name}
            value={choice}
            checked={choice === period}
            onChange={() => onChange(choice)}
          />
          {choice}
        </label>
      ))}
    </div>
  )
}

interface PlanCardsProps {
  /** Undefined while loading. */
  readonly plans: readonly PlanOnSale[] | undefined
  readonly period: BillingPeriod
  readonly headingLevel: 2 | 3
  readonly purchase: Purchase
  /** Payments are not configured. */
  readonly isOff: boolean
}

function PlanCards({ plans, period, headingLevel, purchase, isOff }: PlanCardsProps) {
  const currentId = useCurrentPlanId()
  const reasonId = useId()
  if (plans?.length === 0) return <p className={styles.none}>There are no plans with this billing period right now.</p>
  return (
    <>
      {isOff && (
        <div className={styles.reason} id={reasonId}>
          <Notice tone="info" text="Payments are not configured on this server, so plans can’t be bought." />
        </div>
      )}
      {!plans && <VisuallyHidden role="status">Loading...</VisuallyHidden>}
      <ul className={styles.cards} style={{ '--columns': Math.min(plans?.length ?? 4, 4) } as CSSProperties}>
        {plans
          ? plans.map((plan) => (
              <li className={styles.place} key={plan.planId}>
                <PlanCard
                  plan={plan}
                  period={period}
                  headingLevel={headingLevel}
                  isCurrent={plan.planId === currentId}
                  isBusy={purchase.isBusy && purchase.chosenId === plan.planId}
                  isBlocked={isOff || (purchase.isBusy && purchase.chosenId !== plan.planId)}
                  reasonId={isOff ? reasonId : undefined}
                  onChoose={() => purchase.choose(plan.planId)}
                />
              </li>
            ))
          : ['a', 'b', 'c', 'd'].map((place) => (
              <li className={styles.place} key={place}>
                <PlanCardSkeleton />
              </li>
            ))}
      </ul>
    </>
  )
}
