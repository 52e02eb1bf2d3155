import { setTimeout } from 'node:timers/promises'
import { calls } from '@alcove/contract/calls'
import {
  allocationOf,
  CHECKOUT_RETURN,
  FREE_PLAN,
  findPlan,
  PLAN_CHANGED,
  type Plan,
  planNameOf,
} from '@alcove/contract/plans'
import type Stripe from 'stripe'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { isBusy, paymentsOff } from '../../../platform/payments/stripe.ts'
import { UNPAID } from '../billing-mails.ts'
import { customerIdOf, ensureCustomer, findBilling } from '../customers.ts'
import { ensurePrice } from '../prices.ts'
import { currentPlan, isPaidFor } from '../subscriptions/current-plan.ts'
import { idOf, isUnpaid, type Subscribed } from '../subscriptions/subscription-state.ts'
import { cancelSubscription, syncSubscription } from '../subscriptions/sync-subscription.ts'
import { findCheckout, openCheckout, type Purchase, retrieveCheckout } from './open-checkout.ts'

/** A page that is being paid on, or another tab, may be first; then it is looked at anew. */
const MAX_TRIES = 5
const PAUSE = 200

/**
 * Buys a plan. Who has a running subscription gets it changed, so that nobody ever has two; everybody else gets a page to
 * pay on, of which only one is open at a time.
 */
export const createCheckoutSession = endpoint(calls.createCheckoutSession, async (ctx, { planId, attemptId }) => {
  const plan = choosePlan(planId)
  if (ctx.payments.mode === 'off') throw paymentsOff()
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      const customerId = await ensureCustomer(ctx)
      const url = await tryToBuy(ctx, { plan, attemptId, customerId })
      if (url !== undefined) return { url }
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    await setTimeout(PAUSE * tries)
  }
  throw new AppError('state_conflict', 'Another purchase is under way. Please try again in a moment.')
})

/** Undefined when somebody else has bought, or is buying, meanwhile. */
async function tryToBuy(ctx: UserContext, purchase: Purchase): Promise<string | undefined> {
  const { plan, attemptId, customerId } = purchase
  // Before the question: what is paid on this page afterwards is not in the response, but then the page is not open either.
  const last = await findCheckout(ctx, customerId)
  const subscriptionState = await syncSubscription(ctx, customerId)
  const row = await findBilling(ctx.db, ctx.user.id)
  if (!subscriptionState || !row) return undefined
  const current = currentPlan(subscriptionState, row.granted_plan_id, ctx.clock.now())
  const { subscription } = current
  const changedUrl = `${ctx.config.publicUrl}/account?${CHECKOUT_RETURN}=${PLAN_CHANGED}`
  const bought = [subscription, ...subscriptionState.owned].filter((one) => one?.plan === plan)
  if (attemptId !== undefined && bought.some((one) => one?.attemptId === attemptId)) return changedUrl
  if (subscription && !isPaidFor(subscription, ctx.clock.now())) return endUnpaid(ctx, subscription.id)
  if (current.plan === plan || subscription?.plan === plan) {
    throw new AppError('current_plan', 'This is already your plan.')
  }
  assertLarger(plan, [current.owned?.plan, findPlan(row.granted_plan_id ?? FREE_PLAN.planId)])
  if (!subscription || plan.period === 'Lifetime') return openCheckout(ctx, purchase, last)
  await changePlan(ctx, purchase, subscription)
  return changedUrl
}

/** What nobody has paid for in time is over, though Stripe may not have heard of it yet; then one can buy anew. */
async function endUnpaid({ payments }: UserContext, id: string): Promise<undefined> {
  await payments.ask((stripe) => cancelSubscription(stripe, id, { cancellation_details: { comment: UNPAID } }))
}

function choosePlan(planId: number): Plan {
  if (planId === FREE_PLAN.planId) throw new AppError('malformed', 'The free plan cannot be bought.')
  const plan = findPlan(planId)
  if (!plan) throw new AppError('not_found', 'This plan was not found.')
  return plan
}

/** What somebody has for good, nobody should pay for again. */
function assertLarger(plan: Plan, those: readonly (Plan | undefined)[]): void {
  for (const owned of those) {
    if (owned && allocationOf(owned) >= allocationOf(plan)) {
      throw new AppError(
        'state_conflict',
        `Your plan, ${planNameOf(owned)}, has as much room already, and it does not end.`,
      )
    }
  }
}

/**
 * Changes the plan of a running subscription at once: what was paid for the rest of the old period is taken off, and the
 * difference is charged now. When the card is declined, nothing changes.
 */
async function changePlan(ctx: UserContext, purchase: Purchase, subscription: Subscribed): Promise<void> {
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

/** Back from the payment page: the webhook may be late, so Stripe is asked. */
export const confirmCheckout = endpoint(calls.confirmCheckout, async (ctx, { sessionId }) => {
  if (ctx.payments.mode === 'off') throw paymentsOff()
  const customerId = customerIdOf(await findBilling(ctx.db, ctx.user.id), ctx.payments)
  const checkout = sessionId === undefined ? undefined : await getOwnCheckout(ctx, sessionId, customerId)
  if (customerId) await syncSubscription(ctx, customerId)
  const user = await ctx.db
    .selectFrom('users')
    .select(['plan_id', 'plan_name'])
    .where('id', '=', ctx.user.id)
    .executeTakeFirstOrThrow()
  return { planId: user.plan_id, planName: user.plan_name, status: statusOf(checkout) }
})

async function getOwnCheckout(
  ctx: UserContext,
  sessionId: string,
  customerId: string | undefined,
): Promise<Stripe.Checkout.Session> {
  // What is no id of such a page is not asked for; it would become part of an address.
  const checkout = /^cs_\w+$/.test(sessionId) ? await retrieveCheckout(ctx, sessionId) : undefined
  if (!checkout || customerId === undefined || idOf(checkout.customer) !== customerId) {
    throw new AppError('not_found', 'This payment was not found.')
  }
  return checkout
}

function statusOf(checkout: Stripe.Checkout.Session | undefined): 'complete' | 'open' | 'expired' {
  if (checkout?.status === 'expired') return 'expired'
  if (checkout?.status === 'open') return 'open'
  return checkout?.payment_status === 'unpaid' ? 'open' : 'complete'
}
