import { PAYMENT_GRACE } from '@alcove/contract/limits'
import { allocationOf, type Plan } from '@alcove/contract/plans'
import type { BillingCustomerRow } from '../../../platform/db/tables.ts'
import { isRunning, isUnpaid, type Owned, type Subscribed, type SubscriptionState } from './subscription-state.ts'

/** The largest plan that a user has bought or been granted. */
export interface CurrentPlan {
  /** Undefined for the free plan. */
  plan: Plan | undefined
  status: BillingCustomerRow['status']
  /** The running subscription, even if another plan is larger or it isn't paid any more. */
  subscription: Subscribed | undefined
  owned: Owned | undefined
  /** Whether the user pays, or has paid, for the plan. */
  isBought: boolean
}

/** Derives it from what Stripe knows and the plan that the user was granted. */
export function currentPlan(
  subscriptionState: SubscriptionState | undefined,
  granted: Plan | undefined,
  now: number,
): CurrentPlan {
  const subscription = subscriptionState?.subscriptions.find(isRunning)
  const owned = largest(subscriptionState?.owned ?? [])
  const subscribed = subscription && isPaidFor(subscription, now) ? subscription : undefined
  const plan = largest([owned, subscribed, granted && { plan: granted }].filter((one) => one !== undefined))?.plan
  const isBought = plan !== undefined && (plan === owned?.plan || plan === subscribed?.plan)
  return { plan, status: statusOf(), subscription, owned, isBought }

  function statusOf(): CurrentPlan['status'] {
    if (plan === undefined) {
      return subscriptionState?.subscriptions.some(({ status }) => status === 'incomplete') ? 'incomplete' : 'free'
    }
    if (plan === owned?.plan) return 'lifetime'
    return plan === subscribed?.plan && isUnpaid(subscribed.status) ? 'past_due' : 'active'
  }
}

/** Returns whether a subscription counts as paid. A missing payment is tolerated during the grace period. */
export function isPaidFor({ status, unpaidSince }: Subscribed, now: number): boolean {
  if (status === 'active' || status === 'trialing') return true
  return unpaidSince !== null && now < unpaidSince + PAYMENT_GRACE
}

/** Returns the first of the largest plans. */
function largest<T extends { plan: Plan }>(those: readonly T[]): T | undefined {
  return those.reduce<T | undefined>(
    (best, one) => (best && allocationOf(best.plan) >= allocationOf(one.plan) ? best : one),
    undefined,
  )
}
