import type Stripe from 'stripe'
import type { Services } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isMissing } from '../../../platform/payments/stripe.ts'
import { isRunning, readSubscriptionState, type SubscriptionState } from './subscription-state.ts'
import { writeSubscriptionState } from './write-subscription-state.ts'

/**
 * Syncs a user's plan with Stripe and returns what Stripe said, or undefined if there is no such customer. The return
 * from the payment page, webhooks, a revert and the nightly run all end here, in any order and concurrently: each takes
 * a number before it asks Stripe, and its result is written only if no later request has been written already.
 */
export async function syncSubscription(services: Services, customerId: string): Promise<SubscriptionState | undefined> {
  const question = await takeNumber(services.db, customerId)
  // Not a customer of a user here, or of a deleted one.
  if (!question) return undefined
  const { db, payments } = services
  const subscriptionState = await payments.ask((stripe) => settleSubscriptionState(services, stripe, customerId))
  if (subscriptionState)
    await correctEmail({ db, payments }, question.userId, { customerId, email: subscriptionState.email })
  await writeSubscriptionState(services, { ...question, customerId }, subscriptionState)
  return subscriptionState
}

/** Stripe sends mails too, and shows the address on its pages. */
async function correctEmail(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  userId: string,
  known: { customerId: string; email: string | null },
): Promise<void> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user || user.email === known.email) return
  await payments.ask((stripe) => stripe.customers.update(known.customerId, { email: user.email }))
}

async function takeNumber(db: Database, customerId: string): Promise<{ userId: string; version: number } | undefined> {
  const raised = await db
    .updateTable('billing_customers')
    .set((eb) => ({ sync_version: eb('sync_version', '+', 1) }))
    .where('customer_id', '=', customerId)
    .returning(['user_id', 'sync_version'])
    .executeTakeFirst()
  return raised && { userId: raised.user_id, version: raised.sync_version }
}

/**
 * Ends subscriptions that should not run: a lifetime purchase ends a subscription, and of two subscriptions, which two
 * servers could have sold at the same moment, the newer one stays. Returns the resulting state.
 */
async function settleSubscriptionState(
  services: Services,
  stripe: Stripe,
  customerId: string,
): Promise<SubscriptionState | undefined> {
  const subscriptionState = await readSubscriptionState(services, stripe, customerId)
  const superseded = subscriptionState ? listSuperseded(subscriptionState) : []
  if (superseded.length === 0) return subscriptionState
  // The unused rest of the period stays as credit of the customer.
  for (const id of superseded) await cancelSubscription(stripe, id, { prorate: true, invoice_now: true })
  return readSubscriptionState(services, stripe, customerId)
}

/** Ends a subscription immediately, unless it has already ended. */
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
