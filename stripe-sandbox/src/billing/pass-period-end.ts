import type { Kept } from '../store/store.ts'
import type { World } from '../world.ts'
import { cancelNow } from './cancel-now.ts'
import { describeLine } from './describe-line.ts'
import { isEnded, itemOf, keepSubscription } from './keep-subscription.ts'
import { makeInvoice } from './make-invoice.ts'
import { makeLine } from './make-line.ts'
import { rhythmOf } from './new-subscription.ts'
import { periodEnd } from './periods.ts'
import { settleInvoice } from './settle-invoice.ts'
import { voidInvoice } from './void-invoice.ts'

/** A subscription at the end of what is paid: it ends as was wished, or is renewed. */
export function passPeriodEnd(world: World, id: string): void {
  const subscription = world.store.find('subscription', id)
  if (!subscription || isEnded(subscription.body)) return
  if (subscription.body.status === 'incomplete') expire(world, subscription)
  else if (subscription.body.cancel_at_period_end) cancelNow(world, subscription, 'cancellation_requested')
  else renew(world, subscription)
}

/** The first payment never came. */
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

/** The next period begins, and is charged for. Stripe leaves about an hour between the two; here it is at once. */
function renew(world: World, subscription: Kept<'subscription'>): void {
  const { body, hidden } = subscription
  const before = structuredClone(body)
  const item = itemOf(body)
  const { price, quantity = 1 } = item
  item.current_period_start = item.current_period_end
  item.current_period_end = periodEnd(body.billing_cycle_anchor, item.current_period_start, rhythmOf(price))
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
