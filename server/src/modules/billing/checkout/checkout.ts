import { setTimeout } from 'node:timers/promises'
import { calls } from '@alcove/contract/calls'
import { allocationOf, CHECKOUT_RETURN, FREE_PLAN, PLAN_CHANGED, type Plan, planNameOf } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { isBusy, paymentsOff } from '../../../platform/payments/stripe.ts'
import { plansSetting, readSetting } from '../../site/index.ts'
import { UNPAID } from '../billing-mails.ts'
import { findPlan, planIn, readCatalogueAnew } from '../catalogue/catalogue.ts'
import { customerIdOf, ensureCustomer, findBilling } from '../customers.ts'
import { ensurePrice } from '../prices.ts'
import { currentPlan, isPaidFor } from '../subscriptions/current-plan.ts'
import { idOf, isUnpaid, type Subscribed } from '../subscriptions/subscription-state.ts'
import { cancelSubscription, syncSubscription } from '../subscriptions/sync-subscription.ts'
import { findCheckout, openCheckout, type Purchase, retrieveCheckout } from './open-checkout.ts'

/** How often to try again when a payment in progress or another tab was faster. */
const MAX_TRIES = 5
const PAUSE = 200

/**
 * Buys a plan. An existing subscription is changed, so that nobody ever has two. Everyone else gets a payment page, of
 * which only one is open at a time.
 */
export const createCheckoutSession = endpoint(calls.createCheckoutSession, async (ctx, { planId, attemptId }) => {
  const chosen = await choosePlan(ctx, planId)
  const { enabled } = await readSetting(ctx, plansSetting)
  if (!enabled) throw new AppError('state_conflict', 'This server has no plans to buy.')
  if (ctx.payments.mode === 'off') throw paymentsOff()
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      const customerId = await ensureCustomer(ctx)
      const url = await tryToBuy(ctx, { ...chosen, attemptId, customerId })
      if (url !== undefined) return { url }
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    await setTimeout(PAUSE * tries)
  }
  throw new AppError('state_conflict', 'Another purchase is in progress. Please try again in a moment.')
})

/** Returns undefined if another request has bought a plan, or is buying one, in the meantime. */
async function tryToBuy(ctx: UserContext, purchase: Purchase & Chosen): Promise<string | undefined> {
  const { plan, isOnSale, attemptId, customerId } = purchase
  // Read before asking Stripe: a payment made later isn't in the response, but then the page isn't open any more
  // either.
  const last = await findCheckout(ctx, customerId)
  const subscriptionState = await syncSubscription(ctx, customerId)
  const row = await findBilling(ctx.db, ctx.user.id)
  if (!subscriptionState || !row) return undefined
  const granted = await findPlan(ctx, row.granted_plan_id ?? FREE_PLAN.planId)
  const current = currentPlan(subscriptionState, granted, ctx.clock.now())
  const { subscription } = current
  const changedUrl = `${ctx.config.publicUrl}/account?${CHECKOUT_RETURN}=${PLAN_CHANGED}`
  const bought = [subscription, ...subscriptionState.owned].filter((one) => one?.plan.planId === plan.planId)
  if (attemptId !== undefined && bought.some((one) => one?.attemptId === attemptId)) return changedUrl
  if (subscription && !isPaidFor(subscription, ctx.clock.now())) return endUnpaid(ctx, subscription.id)
  if ([current, subscription].some((one) => one?.plan?.planId === plan.planId)) {
    throw new AppError('current_plan', 'This is already your plan.')
  }
  if (!isOnSale) throw new AppError('state_conflict', 'This plan is no longer offered. Please choose another one.')
  assertLarger(plan, [current.owned?.plan, granted])
  if (!subscription || plan.period === 'Lifetime') return openCheckout(ctx, purchase, last)
  await changePlan(ctx, purchase, subscription)
  return changedUrl
}

/** Ends what wasn't paid in time, even if Stripe hasn't noticed yet, so that the user can buy again. */
async function endUnpaid({ payments }: UserContext, id: string): Promise<undefined> {
  await payments.ask((stripe) => cancelSubscription(stripe, id, { cancellation_details: { comment: UNPAID } }))
}

interface Chosen {
  readonly plan: Plan
  readonly isOnSale: boolean
}

/** A former plan is found too: it may be the user's own, or have been bought by an earlier try. */
async function choosePlan(ctx: UserContext, planId: number): Promise<Chosen> {
  if (planId === FREE_PLAN.planId) throw new AppError('malformed', 'The free plan cannot be bought.')
  const catalogue = await readCatalogueAnew(ctx)
  const plan = planIn(catalogue, planId)
  if (!plan) throw new AppError('not_found', 'This plan was not found.')
  return { plan, isOnSale: catalogue.onSale.some((one) => one.planId === planId) }
}

/** Refuses a plan that is no larger than a lifetime plan the user already owns. */
function assertLarger(plan: Plan, those: readonly (Plan | undefined)[]): void {
  for (const owned of those) {
    if (owned && allocationOf(owned) >= allocationOf(plan)) {
      throw new AppError(
        'state_conflict',
        `Your plan, ${planNameOf(owned)}, already includes at least as much storage and does not expire.`,
      )
    }
  }
}

/**
 * Changes the plan of a running subscription immediately: the unused rest of the old period is credited, and the
 * difference is charged now. If the card is declined, nothing changes.
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
        // Choosing a plan also withdraws an earlier cancellation.
        cancel_at_period_end: false,
        metadata: { planId: String(plan.planId), ...(attemptId && { attemptId }) },
      },
      attemptId ? { idempotencyKey: `change-${subscription.id}-${plan.planId}-${attemptId}` } : {},
    )
  })
  await syncSubscription(ctx, customerId)
}

/** Updates the plan after the payment page. Asks Stripe, because the webhook may be late. */
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
  // Only ids of checkout sessions are sent to Stripe, because the id becomes part of a URL.
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
