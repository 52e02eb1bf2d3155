import type Stripe from 'stripe'
import type { Realm } from '../../platform/payments/payments.ts'
import { isMissing } from '../../platform/payments/stripe-refusals.ts'
import { isRunning, readStanding, type Standing } from './standing.ts'

/**
 * What Stripe says of a customer, once nothing runs that should not: a purchase for good ends a subscription, and of two
 * subscriptions, which two servers could have sold at the same moment, the newer is meant.
 */
export async function settleStanding(stripe: Stripe, customerId: string, realm: Realm): Promise<Standing | undefined> {
  const standing = await readStanding(stripe, customerId, realm)
  const superseded = standing ? listSuperseded(standing) : []
  if (superseded.length === 0) return standing
  // What was paid for the rest of the period stays with the customer as credit.
  for (const id of superseded) await cancelSubscription(stripe, id, { prorate: true, invoice_now: true })
  return readStanding(stripe, customerId, realm)
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

export function listSuperseded({ subscriptions, owned }: Standing): string[] {
  const boughtAt = Math.max(...owned.map((one) => one.boughtAt))
  const [newest, ...older] = subscriptions.filter(isRunning)
  if (!newest) return []
  const ids = older.map(({ id }) => id)
  return boughtAt >= newest.createdAt ? [newest.id, ...ids] : ids
}
