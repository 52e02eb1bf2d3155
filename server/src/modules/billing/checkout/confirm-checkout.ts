import type { confirmCheckout as call } from '@alcove/contract/billing'
import type Stripe from 'stripe'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { paymentsOff } from '../../../platform/payments/stripe-refusals.ts'
import { customerIdOf, findBilling } from '../customers.ts'
import { idOf } from '../subscriptions/subscription-state.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import { retrieveCheckout } from './open-checkout.ts'

/** Back from the payment page: the webhook may be late, so Stripe is asked. */
export const confirmCheckout: Operation<typeof call> = async (ctx, { sessionId }) => {
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
}

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
