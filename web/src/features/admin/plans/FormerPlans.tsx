import type { AdminPlan } from '@alcove/contract/admin-plans'
import { Card } from '../../../ui/Card.tsx'
import { Subscribers } from './PlanRow.tsx'
import styles from './PlansSection.module.css'
import { formatCharge } from './plan-texts.ts'

/** The plans that are no longer sold and that accounts still have. */
export function FormerPlans({ plans }: { readonly plans: readonly AdminPlan[] }) {
  if (plans.length === 0) return null
  return (
    <Card title="No longer sold">
      <p className={styles.note}>Accounts with one of these plans keep it, with its storage and its price.</p>
      <ul className={styles.former} aria-label="Plans that are no longer sold">
        {plans.map((plan) => (
          <li key={plan.planId} className={styles.formerPlan}>
            <bdi className={styles.formerName}>{plan.planName}</bdi>
            <span className={styles.note}>
              {plan.name !== null && `${plan.tier} · `}
              {formatCharge(plan)} · <Subscribers planId={plan.planId} count={plan.subscribers} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
