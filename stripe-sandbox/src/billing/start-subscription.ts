import { emit } from '../events/emit.ts'
import type { Kept } from '../store/store.ts'
import type { Decline } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { describeLine } from './describe-line.ts'
import { dueAtOf, itemOf } from './keep-subscription.ts'
import { makeInvoice } from './make-invoice.ts'
import { makeLine } from './make-line.ts'
import { newSubscription, type SubscriptionOptions } from './new-subscription.ts'
import { settleInvoice } from './settle-invoice.ts'

interface Started {
  subscription: Kept<'subscription'>
  invoice: Kept<'invoice'>
  decline?: Decline
}

/** Begins a subscription and charges its first period. Without the payment it is incomplete. */
export function startSubscription(world: World, options: Omit<SubscriptionOptions, 'now'>): Started {
  const { store } = world
  const { price, quantity } = options
  const body = newSubscription({ ...options, now: world.clock.now() })
  const item = itemOf(body)
  const period = { start: item.current_period_start, end: item.current_period_end }
  const line = makeLine({
    price,
    quantity,
    amount: (price.unit_amount ?? 0) * quantity,
    description: describeLine(world, price, quantity),
    period,
    subscription: { id: body.id, itemId: item.id },
  })
  store.keep(body, { pendingLines: [] }, { customer: options.customerId, dueAt: dueAtOf(body) })
  const invoice = makeInvoice(world, {
    customerId: options.customerId,
    currency: price.currency,
    lines: [line],
    reason: 'subscription_create',
    subscription: body,
    // As with Stripe: the first invoice stands at the beginning of the period that its line is for.
    period: { start: period.start, end: period.start },
  })
  body.latest_invoice = invoice.body.id
  store.keep(body, { pendingLines: [] })
  emit(world, 'customer.subscription.created', body)
  const decline = settleInvoice(world, invoice)
  const subscription = store.find('subscription', body.id)
  if (!subscription) throw new Error('What was just kept is there.')
  return { subscription, invoice, decline }
}
