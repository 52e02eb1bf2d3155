import { declineError } from '../cards/decline-error.ts'
import type { Kept } from '../store/store.ts'
import type { World } from '../world.ts'
import { itemOf, keepSubscription } from './keep-subscription.ts'
import { makeInvoice } from './make-invoice.ts'
import { planOf } from './new-subscription.ts'
import { type ChangeOptions, planChange } from './plan-change.ts'
import { settleInvoice } from './settle-invoice.ts'

interface PriceChange extends ChangeOptions {
  /** A declined card undoes the change instead of leaving it unpaid. */
  isErrorIfIncomplete: boolean
}

/** Puts another price into a subscription, and invoices what that costs now or keeps it for the next invoice. */
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
