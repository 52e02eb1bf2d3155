import type { BillingPeriod } from '@alcove/contract/plans'
import { VisuallyHidden } from '@mantine/core'
import { type CSSProperties, useId } from 'react'
import { Notice } from '../../../ui/Notice.tsx'
import { useCurrentPlanId } from '../queries.ts'
import { PlanCard } from './PlanCard.tsx'
import { PlanCardSkeleton } from './PlanCardSkeleton.tsx'
import styles from './PlanCards.module.css'
import type { PlanOnSale } from './plans-on-sale.ts'
import type { Purchase } from './use-purchase.ts'

interface PlanCardsProps {
  /** Undefined while they are on their way. */
  readonly plans: readonly PlanOnSale[] | undefined
  readonly period: BillingPeriod
  readonly headingLevel: 2 | 3
  readonly purchase: Purchase
  /** Nothing can be bought here at all. */
  readonly isOff: boolean
}

export function PlanCards({ plans, period, headingLevel, purchase, isOff }: PlanCardsProps) {
  const currentId = useCurrentPlanId()
  const reasonId = useId()
  if (plans?.length === 0) return <p className={styles.none}>There are no plans of this kind right now.</p>
  return (
    <>
      {isOff && (
        <div className={styles.reason} id={reasonId}>
          <Notice tone="info" text="Payments are not configured here, so plans cannot be bought." />
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
