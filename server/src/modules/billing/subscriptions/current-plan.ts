import { PAYMENT_GRACE } from '@alcove/contract/limits'
import { allocationOf, FREE_PLAN, findPlan, type Plan, planNameOf } from '@alcove/contract/plans'
import type { BillingCustomerRow } from '../../../platform/db/tables.ts'
import { isRunning, isUnpaid, type Owned, type Subscribed, type SubscriptionState } from './subscription-state.ts'

/** What a user has of all that was paid for or given: the largest. */
export interface CurrentPlan {
  /** Undefined: the free one. */
  plan: Plan | undefined
  status: BillingCustomerRow['status']
  /** The subscription that runs, also when another plan is larger or when it is not paid for any more. */
  subscription: Subscribed | undefined
  owned: Owned | undefined
}

export function currentPlan(
  subscriptionState: SubscriptionState | undefined,
  grantedPlanId: number | null,
  now: number,
): CurrentPlan {
  const subscription = subscriptionState?.subscriptions.find(isRunning)
  const owned = largest(subscriptionState?.owned ?? [])
  const granted = grantedPlanId === null ? undefined : findPlan(grantedPlanId)
  const subscribed = subscription && isPaidFor(subscription, now) ? subscription : undefined
  const plan = largest([owned, subscribed, granted && { plan: granted }].filter((one) => one !== undefined))?.plan
  return { plan, status: statusOf(), subscription, owned }

  function statusOf(): CurrentPlan['status'] {
    if (plan === undefined) {
      return subscriptionState?.subscriptions.some(({ status }) => status === 'incomplete') ? 'incomplete' : 'free'
    }
    if (plan === owned?.plan) return 'lifetime'
    return plan === subscribed?.plan && isUnpaid(subscribed.status) ? 'past_due' : 'active'
  }
}

/** A payment that is missing is waited for a while. */
export function isPaidFor({ status, unpaidSince }: Subscribed, now: number): boolean {
  if (status === 'active' || status === 'trialing') return true
  return unpaidSince !== null && now < unpaidSince + PAYMENT_GRACE
}

/** The first of the largest. */
function largest<T extends { plan: Plan }>(those: readonly T[]): T | undefined {
  return those.reduce<T | undefined>(
    (best, one) => (best && allocationOf(best.plan) >= allocationOf(one.plan) ? best : one),
    undefined,
  )
}

/** The columns of a user that follow from a plan. */
export function userColumnsOf(plan: Plan | undefined) {
  return plan
    ? { plan_id: plan.planId, plan_name: planNameOf(plan), allocated_bytes: allocationOf(plan) }
    : { plan_id: FREE_PLAN.planId, plan_name: FREE_PLAN.planName, allocated_bytes: FREE_PLAN.allocation }
}
