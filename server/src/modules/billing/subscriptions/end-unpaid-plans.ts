import { PAYMENT_GRACE } from '@alcove/contract/limits'
import type { Services } from '../../../context.ts'
import { UNPAID } from '../billing-mails.ts'
import { cancelSubscription, syncSubscription } from './sync-subscription.ts'

/**
 * Ends the subscriptions that are unpaid after the grace period. They end at Stripe too, so that no card is charged
 * later for a plan that has ended.
 */
export async function endUnpaidPlans(services: Services): Promise<void> {
  const { db, clock, payments, log } = services
  if (payments.mode === 'off') return
  const lapsed = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('past_due_since', '<=', clock.now() - PAYMENT_GRACE)
    .where('realm', '=', payments.realm)
    .execute()
  for (const { customer_id } of lapsed) {
    try {
      if (customer_id) await endUnpaidPlan(services, customer_id)
    } catch (error) {
      log.error({ err: error, customer: customer_id }, 'an unpaid plan could not be ended')
    }
  }
}

/** It may have been paid in the meantime, so Stripe is asked again. */
async function endUnpaidPlan(services: Services, customerId: string): Promise<void> {
  const subscriptionState = await syncSubscription(services, customerId)
  const now = services.clock.now()
  for (const { id, unpaidSince } of subscriptionState?.subscriptions ?? []) {
    if (unpaidSince === null || now < unpaidSince + PAYMENT_GRACE) continue
    await services.payments.ask((stripe) =>
      cancelSubscription(stripe, id, { cancellation_details: { comment: UNPAID } }),
    )
  }
  await syncSubscription(services, customerId)
}
