import { calls } from '@alcove/contract/calls'
import { FREE_PLAN } from '@alcove/contract/plans'
import type { UserContext } from '../../../context.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { REVERTED } from '../billing-mails.ts'
import { customerIdOf, findBilling } from '../customers.ts'
import { GIVEN_UP, isRunning, readSubscriptionState } from '../subscriptions/subscription-state.ts'
import { cancelSubscription, syncSubscription } from '../subscriptions/sync-subscription.ts'
import { userColumnsOf } from '../subscriptions/user-columns.ts'
import { lockUser } from '../subscriptions/write-subscription-state.ts'
import { closeCheckout } from './open-checkout.ts'

/**
 * Switches to the free plan immediately: subscriptions end without a refund, and a lifetime plan is given up. Stripe
 * comes first, so if it can't be reached, nothing has changed here. Repeating it is harmless.
 */
export const revertToFree = endpoint(calls.revertToFree, async (ctx) => {
  const row = await findBilling(ctx.db, ctx.user.id)
  const customerId = customerIdOf(row, ctx.payments)
  if (row?.checkout_id && customerId) await closeCheckout(ctx, row.checkout_id)
  const hasGivenUp = customerId !== undefined && (await endAll(ctx, customerId))
  await dropGrantedPlan(ctx, customerId)
  if (customerId) await syncSubscription(ctx, customerId)
  return {
    message: hasGivenUp
      ? 'You are on the free plan now. Your lifetime plan has been given up.'
      : 'You are on the free plan now.',
  }
})

/** Ends all purchases of a customer at Stripe. Returns whether a lifetime plan was among them. */
function endAll(ctx: UserContext, customerId: string): Promise<boolean> {
  return ctx.payments.ask(async (stripe) => {
    const subscriptionState = await readSubscriptionState(ctx, stripe, customerId)
    if (!subscriptionState) return false
    for (const { id } of subscriptionState.subscriptions.filter(isRunning)) {
      await cancelSubscription(stripe, id, { cancellation_details: { comment: REVERTED } })
    }
    for (const { paymentIntentId } of subscriptionState.owned) {
      const metadata = { [GIVEN_UP]: new Date(ctx.clock.now()).toISOString() }
      await stripe.paymentIntents.update(paymentIntentId, { metadata })
    }
    return subscriptionState.owned.length > 0
  })
}

/** Plans that the operator granted, or whose origin is unknown. */
async function dropGrantedPlan(ctx: UserContext, customerId: string | undefined): Promise<void> {
  const { db, user } = ctx
  await db.transaction().execute(async (tx) => {
    const locked = await lockUser(tx, user.id)
    const row = await findBilling(tx, user.id)
    if (row)
      await tx.updateTable('billing_customers').set({ granted_plan_id: null }).where('user_id', '=', user.id).execute()
    // The paid plan follows from Stripe's next response.
    const isPaid = row && (row.subscription_id !== null || row.lifetime_plan_id !== null)
    if (!locked || (isPaid && customerId) || locked.plan_id === FREE_PLAN.planId) return
    const columns = await userColumnsOf(ctx, tx, undefined)
    await tx.updateTable('users').set(columns).where('id', '=', user.id).execute()
  })
}
