import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { ensurePrice } from '../prices.ts'
import { isUnpaid, type Subscribed } from '../subscriptions/subscription-state.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import type { Purchase } from './purchase.ts'

/**
 * Changes the plan of a running subscription at once: what was paid for the rest of the old period is taken off, and the
 * difference is charged now. When the card is declined, nothing changes.
 */
export async function changePlan(ctx: UserContext, purchase: Purchase, subscription: Subscribed): Promise<void> {
  if (isUnpaid(subscription.status)) {
    throw new AppError('payment_failed', 'The last payment for your plan failed. Please update your card first.')
  }
  const { plan, attemptId, customerId } = purchase
  await ctx.payments.ask(async (stripe) => {
    const price = await ensurePrice(stripe, plan)
    await stripe.subscriptions.update(
      subscription.id,
      {
        items: [{ id: subscription.itemId, price: price.id }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        // Whoever chooses a plan wants to keep it, also after having cancelled.
        cancel_at_period_end: false,
        metadata: { planId: String(plan.planId), ...(attemptId && { attemptId }) },
      },
      attemptId ? { idempotencyKey: `change-${subscription.id}-${plan.planId}-${attemptId}` } : {},
    )
  })
  await syncSubscription(ctx, customerId)
}
