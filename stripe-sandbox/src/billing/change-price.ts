import { declineError } from '../cards.ts'
import type { Kept } from '../store.ts'
import type { InvoiceLine, Price, Subscription } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { periodEnd, prorate } from './arithmetic.ts'
import { describeLine, describeProration, makeLine } from './invoice-lines.ts'
import { makeInvoice } from './make-invoice.ts'
import { settleInvoice } from './settle-invoice.ts'
import { intervalOf, itemOf, keepSubscription, planOf } from './subscription.ts'

interface PriceChange extends ChangeOptions {
  /** A declined card undoes the change instead of leaving it unpaid. */
  isErrorIfIncomplete: boolean
}

/** Changes a subscription's price. Invoices the difference now or keeps it for the next invoice. */
export function changePrice(world: World, subscription: Kept<'subscription'>, change: PriceChange): void {
  const { body, hidden } = subscription
  const before = structuredClone(body)
  const { lines, isNewPeriod, period } = planChange(world, body, change)
  const item = itemOf(body)
  item.price = change.price
  item.plan = planOf(change.price)
  item.quantity = change.quantity
  item.current_period_start = period.start
  item.current_period_end = period.end
  if (isNewPeriod) body.billing_cycle_anchor = period.start
  if (body.cancel_at_period_end) body.cancel_at = period.end
  hidden.pendingLines.push(...lines)
  const isInvoiced = (isNewPeriod || change.behavior === 'always_invoice') && hidden.pendingLines.length > 0
  if (!isInvoiced) {
    keepSubscription(world, subscription, before)
    return
  }
  const invoice = makeInvoice(world, {
    customerId: body.customer,
    currency: body.currency,
    lines: hidden.pendingLines,
    reason: 'subscription_update',
    subscription: body,
    period: { start: change.at, end: change.at },
  })
  hidden.pendingLines = []
  body.latest_invoice = invoice.body.id
  keepSubscription(world, subscription, before)
  const decline = settleInvoice(world, invoice, { isRetried: true })
  if (decline && change.isErrorIfIncomplete) throw declineError(decline)
}

export type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none'

export interface ChangeOptions {
  price: Price
  quantity: number
  behavior: ProrationBehavior
  /** When the change takes effect, in seconds. */
  at: number
  /** Whether a new period begins even if the billing interval stays the same. */
  isAnchoredNow: boolean
}

interface PlannedChange {
  lines: InvoiceLine[]
  /** Whether a new period begins with the change. It is charged at once. */
  isNewPeriod: boolean
  period: { start: number; end: number }
}

/** Calculates the invoice lines of a price change: a credit for the old price's unused time, a charge for the new one. */
function planChange(world: World, body: Subscription, options: ChangeOptions): PlannedChange {
  const { price, quantity, behavior, at } = options
  const item = itemOf(body)
  const subscription = { id: body.id, itemId: item.id }
  const isNewPeriod = options.isAnchoredNow || !hasSameInterval(item.price, price)
  const rest = { start: item.current_period_start, end: item.current_period_end, now: at }
  const period = isNewPeriod
    ? { start: at, end: periodEnd(at, at, intervalOf(price)) }
    : { start: item.current_period_start, end: item.current_period_end }
  const newAmount = (price.unit_amount ?? 0) * quantity
  const lines: InvoiceLine[] = []
  if (behavior !== 'none') lines.push(creditUnusedTime(world, body, at))
  if (isNewPeriod) {
    const description = describeLine(world, price, quantity)
    lines.push(makeLine({ price, quantity, amount: newAmount, description, period, subscription }))
  } else if (behavior !== 'none') {
    lines.push(
      makeLine({
        price,
        quantity,
        amount: prorate(newAmount, rest),
        description: describeProration(world, 'Remaining', price, at),
        period: { start: at, end: item.current_period_end },
        subscription,
        isProration: true,
      }),
    )
  }
  return { lines, isNewPeriod, period }
}

/** Returns an invoice line that credits the rest of the current period. */
export function creditUnusedTime(world: World, body: Subscription, at: number): InvoiceLine {
  const { id, price, quantity = 1, current_period_start: start, current_period_end: end } = itemOf(body)
  return makeLine({
    price,
    quantity,
    amount: 0 - prorate((price.unit_amount ?? 0) * quantity, { start, end, now: at }),
    description: describeProration(world, 'Unused', price, at),
    period: { start: at, end },
    subscription: { id: body.id, itemId: id },
    isProration: true,
  })
}

function hasSameInterval(a: Price, b: Price): boolean {
  const [one, other] = [intervalOf(a), intervalOf(b)]
  return one.interval === other.interval && one.interval_count === other.interval_count
}
