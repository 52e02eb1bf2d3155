import { setTimeout } from 'node:timers/promises'
import type { createCheckoutSession as call } from '@alcove/contract/billing'
import {
  allocationOf,
  CHECKOUT_RETURN,
  FREE_PLAN,
  findPlan,
  PLAN_CHANGED,
  type Plan,
  planNameOf,
} from '@alcove/contract/plans'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { isBusy, paymentsOff } from '../../../platform/payments/stripe-refusals.ts'
import { UNPAID } from '../billing-mails.ts'
import { ensureCustomer, findBilling } from '../customers.ts'
import { currentPlan, isPaidFor } from '../subscriptions/current-plan.ts'
import { cancelSubscription } from '../subscriptions/end-superseded.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import { changePlan } from './change-plan.ts'
import { findCheckout, openCheckout } from './open-checkout.ts'
import type { Purchase } from './purchase.ts'

/** A page that is being paid on, or another tab, may be first; then it is looked at anew. */
const MAX_TRIES = 5
const PAUSE = 200

/**
 * Buys a plan. Who has a running subscription gets it changed, so that nobody ever has two; everybody else gets a page to
 * pay on, of which only one is open at a time.
 */
export const createCheckoutSession: Operation<typeof call> = async (ctx, { planId, attemptId }) => {
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
}

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
