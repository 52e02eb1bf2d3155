import type { BillingPeriod } from '@alcove/contract/plans'
import { Skeleton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import type { PlanOnSale } from '../../../api/plans-on-sale.ts'
import { formatPrice, suffixOf } from '../../../lib/prices.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import styles from './PlanCard.module.css'

interface PlanCardProps {
  readonly plan: PlanOnSale
  readonly period: BillingPeriod
  readonly headingLevel: 2 | 3
  readonly isCurrent: boolean
  /** Its checkout is starting. */
  readonly isBusy: boolean
  /** It can't be bought now: the checkout of another plan is starting, or payments are off. */
  readonly isBlocked: boolean
  /** The id of the element that says why it is blocked. */
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
          <bdi>{plan.name ?? plan.tier}</bdi> Plan
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
      <BusyButton
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
      </BusyButton>
    </article>
  )
}

/** A placeholder of the size of a plan card. */
export function PlanCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden>
      <div className={styles.title}>
        <Skeleton height={22} width={130} my={3} />
      </div>
      <div className={styles.description}>
        <Skeleton height={12} width="86%" my={4} />
        <Skeleton height={12} width="52%" mt={8} />
      </div>
      <div className={styles.price}>
        <Skeleton height={36} width={150} my={8} />
      </div>
      <div className={styles.features}>
        {[150, 170, 110].map((width) => (
          <Skeleton height={12} width={width} my={4} key={width} />
        ))}
      </div>
      <Skeleton className={styles.button} height={44} />
    </div>
  )
}
