import { type BillingPeriod, billingPeriods } from '@alcove/contract/plans'
import { useId } from 'react'
import styles from './BillingPeriodToggle.module.css'

interface BillingPeriodToggleProps {
  readonly period: BillingPeriod
  readonly onChange: (period: BillingPeriod) => void
}

/** Monthly, Annually or Lifetime: plain radio buttons in one bar, so that the landing page needs no more code for it. */
export function BillingPeriodToggle({ period, onChange }: BillingPeriodToggleProps) {
  const name = useId()
  return (
    <div className={styles.bar} role="radiogroup" aria-label="Billing period">
      {billingPeriods.map((choice) => (
        <label className={styles.choice} key={choice}>
          <input
            className={styles.input}
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
