import { FREE_PLAN } from '@alcove/contract/plans'
import { formatDate } from '../../lib/format.ts'
import { formatPrice } from '../../lib/prices.ts'
import { freeStorage, hasPlans } from '../../lib/site.ts'
import type { Dashboard } from './queries.ts'

type Subscription = Dashboard['subscription']

/** Returns the rows of the card. */
export function detailsOf(subscription: Subscription): readonly (readonly [label: string, value: string])[] {
  return [
    ['Plan', subscription.plan === FREE_PLAN.planName ? 'Free plan' : subscription.plan],
    ['Status', subscription.status.replace('_', ' ')],
    ['Billing cycle', subscription.billing_cycle],
    ['Storage limit', `${subscription.storage_limit_gb} GB`],
    ['Price', formatPrice(subscription.price)],
    ['Next billing date', subscription.next_billing_date ? formatDate(subscription.next_billing_date) : 'N/A'],
  ]
}

/** Returns what is about to happen to a subscription and what the user can do, or undefined. */
export function describeTrouble(subscription: Subscription): string | undefined {
  const { plan, status, cancelAtPeriodEnd, endsAt, graceUntil } = subscription
  if (status === 'past_due' || graceUntil) {
    const until = graceUntil ? ` until ${formatDate(graceUntil)}` : ' for now'
    return `Your last payment failed. You keep ${plan}${until}. Update your card below and the payment is retried immediately. ${hasPlans() ? 'Otherwise you return to the free plan; nothing is deleted.' : 'Otherwise it ends; nothing is deleted.'}`
  }
  if (cancelAtPeriodEnd) {
    const when = endsAt ? ` on ${formatDate(endsAt)}` : ' at the end of the period you have paid for'
    return `${plan} ends${when}. Nothing changes until then. After that, you ${hasPlans() ? 'are on the free plan with' : 'have'} ${freeStorage}. You can resume it in the billing portal.`
  }
  if (status === 'incomplete') return 'Your first payment is incomplete. Complete it in the billing portal.'
  return undefined
}
