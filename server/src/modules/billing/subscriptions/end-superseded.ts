import type Stripe from 'stripe'
import type { Realm } from '../../../platform/payments/payments.ts'
import { isMissing } from '../../../platform/payments/stripe-refusals.ts'
import { isRunning, readSubscriptionState, type SubscriptionState } from './subscription-state.ts'

/**
 * What Stripe says of a customer, once nothing runs that should not: a purchase for good ends a subscription, and of two
 * subscriptions, which two servers could have sold at the same moment, the newer is meant.
 */
export async function settleSubscriptionState(
  stripe: Stripe,
  customerId: string,
  realm: Realm,
): Promise<SubscriptionState | undefined> {
  const subscriptionState = await readSubscriptionState(stripe, customerId, realm)
  const superseded = subscriptionState ? listSuperseded(subscriptionState) : []
  if (superseded.length === 0) return subscriptionState
  // What was paid for the rest of the period stays with the customer as credit.
  for (const id of superseded) await cancelSubscription(stripe, id, { prorate: true, invoice_now: true })
  return readSubscriptionState(stripe, customerId, realm)
}

/** Ends a subscription at once, if it has not ended. */
export async function cancelSubscription(
  stripe: Stripe,
  id: string,
  params: Stripe.SubscriptionCancelParams,
): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id, params)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

export function listSuperseded({ subscriptions, owned }: SubscriptionState): string[] {
  const boughtAt = Math.max(...owned.map((one) => one.boughtAt))
  const [newest, ...older] = subscriptions.filter(isRunning)
  if (!newest) return []
  const ids = older.map(({ id }) => id)
  return boughtAt >= newest.createdAt ? [newest.id, ...ids] : ids
}
