import type { InvoiceLine, Price, Subscription } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { describeLine, describeRemaining, describeUnused } from './describe-line.ts'
import { itemOf } from './keep-subscription.ts'
import { makeLine } from './make-line.ts'
import { rhythmOf } from './new-subscription.ts'
import { periodEnd } from './periods.ts'
import { prorate } from './proration.ts'

export type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none'

export interface ChangeOptions {
  price: Price
  quantity: number
  behavior: ProrationBehavior
  /** As of when, in seconds. */
  at: number
  /** A new period begins although the rhythm is the same. */
  isAnchoredNow: boolean
}

export interface PlannedChange {
  lines: InvoiceLine[]
  /** A new period begins with the change, and is charged for at once. */
  isNewPeriod: boolean
  period: { start: number; end: number }
}

/** What a change of price means: credit for what is left of the old one, a charge for the new one. */
export function planChange(world: World, body: Subscription, options: ChangeOptions): PlannedChange {
  const { price, quantity, behavior, at } = options
  const item = itemOf(body)
  const subscription = { id: body.id, itemId: item.id }
  const isNewPeriod = options.isAnchoredNow || !hasSameRhythm(item.price, price)
  const rest = { start: item.current_period_start, end: item.current_period_end, now: at }
  const period = isNewPeriod
    ? { start: at, end: periodEnd(at, at, rhythmOf(price)) }
    : { start: item.current_period_start, end: item.current_period_end }
  const newAmount = (price.unit_amount ?? 0) * quantity
  const lines: InvoiceLine[] = []
  if (behavior !== 'none') {
    lines.push(
      makeLine({
        price: item.price,
        quantity: item.quantity ?? 1,
        amount: 0 - prorate((item.price.unit_amount ?? 0) * (item.quantity ?? 1), rest),
        description: describeUnused(world, item.price, at),
        period: { start: at, end: item.current_period_end },
        subscription,
        isProration: true,
      }),
    )
  }
  if (isNewPeriod) {
    const description = describeLine(world, price, quantity)
    lines.push(makeLine({ price, quantity, amount: newAmount, description, period, subscription }))
  } else if (behavior !== 'none') {
    lines.push(
      makeLine({
        price,
        quantity,
        amount: prorate(newAmount, rest),
        description: describeRemaining(world, price, at),
        period: { start: at, end: item.current_period_end },
        subscription,
        isProration: true,
      }),
    )
  }
  return { lines, isNewPeriod, period }
}

function hasSameRhythm(a: Price, b: Price): boolean {
  const [one, other] = [rhythmOf(a), rhythmOf(b)]
  return one.interval === other.interval && one.interval_count === other.interval_count
}
