import { emit } from '../events.ts'
import type { Kept } from '../store.ts'
import type { Decline } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { periodEnd } from './arithmetic.ts'
import { describeLine, makeLine } from './invoice-lines.ts'
import { makeInvoice, voidInvoice } from './make-invoice.ts'
import { settleInvoice } from './settle-invoice.ts'
import {
  cancelNow,
  dueAtOf,
  intervalOf,
  isEnded,
  itemOf,
  keepSubscription,
  newSubscription,
  type SubscriptionOptions,
} from './subscription.ts'

interface StartedSubscription {
  subscription: Kept<'subscription'>
  invoice: Kept<'invoice'>
  decline?: Decline
}

/** Creates a subscription and charges its first period. It is incomplete if the payment fails. */
export function startSubscription(world: World, options: Omit<SubscriptionOptions, 'now'>): StartedSubscription {
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
    // As with Stripe, the period of the first invoice has no length.
    period: { start: period.start, end: period.start },
  })
  body.latest_invoice = invoice.body.id
  store.keep(body, { pendingLines: [] })
  emit(world, 'customer.subscription.created', body)
  const decline = settleInvoice(world, invoice)
  const subscription = store.find('subscription', body.id)
  if (!subscription) throw new Error('The subscription was not stored.')
  return { subscription, invoice, decline }
}

/** Handles the end of a subscription's period: renews it, or ends it if it was canceled or never paid. */
export function passPeriodEnd(world: World, id: string): void {
  const subscription = world.store.find('subscription', id)
  if (!subscription || isEnded(subscription.body)) return
  if (subscription.body.status === 'incomplete') expire(world, subscription)
  else if (subscription.body.cancel_at_period_end) cancelNow(world, subscription, 'cancellation_requested')
  else renew(world, subscription)
}

function expire(world: World, subscription: Kept<'subscription'>): void {
  const { body } = subscription
  const before = structuredClone(body)
  body.status = 'incomplete_expired'
  body.ended_at = world.clock.now()
  for (const invoice of world.store.list('invoice', { lookup: body.id })) {
    if (invoice.body.status === 'open') voidInvoice(world, invoice)
  }
  keepSubscription(world, subscription, before)
}

/** Begins the next period and charges it at once. Stripe waits about an hour before it charges. */
function renew(world: World, subscription: Kept<'subscription'>): void {
  const { body, hidden } = subscription
  const before = structuredClone(body)
  const item = itemOf(body)
  const { price, quantity = 1 } = item
  item.current_period_start = item.current_period_end
  item.current_period_end = periodEnd(body.billing_cycle_anchor, item.current_period_start, intervalOf(price))
  const period = { start: item.current_period_start, end: item.current_period_end }
  const line = makeLine({
    price,
    quantity,
    amount: (price.unit_amount ?? 0) * quantity,
    description: describeLine(world, price, quantity),
    period,
    subscription: { id: body.id, itemId: item.id },
  })
  const invoice = makeInvoice(world, {
    customerId: body.customer,
    currency: body.currency,
    lines: [...hidden.pendingLines, line],
    reason: 'subscription_cycle',
    subscription: body,
    period,
  })
  hidden.pendingLines = []
  body.latest_invoice = invoice.body.id
  keepSubscription(world, subscription, before)
  settleInvoice(world, invoice, { isRenewal: true, isRetried: true })
}
