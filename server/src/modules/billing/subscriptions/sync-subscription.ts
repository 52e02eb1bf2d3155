import type { Services } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { settleSubscriptionState } from './end-superseded.ts'
import type { SubscriptionState } from './subscription-state.ts'
import { writeSubscriptionState } from './write-subscription-state.ts'

/**
 * Brings a user's plan to what Stripe says now. The return from the payment page, webhooks, a revert and the nightly round
 * all end here, in any order and any number at once: each takes a number before it asks, and what it hears is written
 * unless somebody who asked later has written already. Stripe has the last word; nothing is believed that it did not say.
 *
 * Returns what Stripe said; undefined where there is no such customer.
 */
export async function syncSubscription(services: Services, customerId: string): Promise<SubscriptionState | undefined> {
  const question = await takeNumber(services.db, customerId)
  // Somebody else's customer, or one of a user who has gone.
  if (!question) return undefined
  const { db, payments } = services
  const subscriptionState = await payments.ask((stripe) => settleSubscriptionState(stripe, customerId, payments.realm))
  if (subscriptionState)
    await correctEmail({ db, payments }, question.userId, { customerId, email: subscriptionState.email })
  await writeSubscriptionState(services, { ...question, customerId }, subscriptionState)
  return subscriptionState
}

/** Stripe writes to people too, and shows the address on its pages. */
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
