import type { BillingPeriod } from '@alcove/contract/plans'
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import styles from './PlanCard.module.css'
import type { PlanOnSale } from './plans-on-sale.ts'
import { formatPrice, suffixOf } from './prices.ts'

interface PlanCardProps {
  readonly plan: PlanOnSale
  readonly period: BillingPeriod
  readonly headingLevel: 2 | 3
  readonly isCurrent: boolean
  /** It is on its way to being paid. */
  readonly isBusy: boolean
  /** Nothing can be bought now: another plan is, or nothing ever can be. */
  readonly isBlocked: boolean
  /** The id of what says why it is blocked. */
  readonly reasonId?: string
  readonly onChoose: () => void
}

export function PlanCard({ plan, period, headingLevel, isCurrent, onChoose, ...state }: PlanCardProps) {
  const headingId = useId()
  const Heading = `h${headingLevel}` as const
  return (
    <article
      className={styles.card}
      data-highlight={plan.highlight || undefined}
      data-current={isCurrent || undefined}
      aria-labelledby={headingId}
    >
      <div className={styles.head}>
        <Heading className={styles.title} id={headingId}>
          {plan.tier} Plan
        </Heading>
        {isCurrent && <span className={styles.badge}>Current Plan</span>}
      </div>
      <p className={styles.description}>{plan.description || 'A flexible and secure cloud storage option.'}</p>
      <p className={styles.price}>
        {formatPrice(plan.price)}
        <span className={styles.suffix}>{suffixOf(period)}</span>
      </p>
      <ul className={styles.features}>
        {plan.features.map((feature) => (
          <li key={feature}>
            <IconCheck size={17} stroke={2} aria-hidden /> {feature}
          </li>
        ))}
      </ul>
      <Button
        className={styles.button}
        variant="default"
        size="md"
        fullWidth
        loading={state.isBusy}
        disabled={isCurrent || state.isBlocked}
        aria-describedby={state.reasonId ? `${headingId} ${state.reasonId}` : headingId}
        onClick={onChoose}
      >
        {isCurrent ? 'Current Plan' : 'Choose Plan'}
      </Button>
    </article>
  )
}
