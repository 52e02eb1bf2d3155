import type { InvoiceLine, Price } from '../stripe-objects.ts'
import { formatDate, formatMoney, newId } from '../text.ts'
import type { World } from '../world.ts'

interface LineOptions {
  price: Price
  amount: number
  quantity: number
  description: string
  period: { start: number; end: number }
  /** None for a one-time price. */
  subscription?: { id: string; itemId: string }
  isProration?: boolean
}

export function makeLine(options: LineOptions): InvoiceLine {
  const { price, amount, quantity, description, period, subscription } = options
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !options.isProration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: parentOf(options),
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: String(price.unit_amount),
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription: subscription?.id ?? null,
    subtotal: amount,
    taxes: [],
  }
}

/** As with Stripe, a proration has an invoice item; a regular charge has the subscription's item. */
function parentOf({ subscription, isProration = false }: LineOptions): InvoiceLine['parent'] {
  if (subscription && !isProration) {
    return {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: subscription.itemId,
      },
      type: 'subscription_item_details',
    }
  }
  return {
    invoice_item_details: {
      invoice_item: newId('ii'),
      proration: isProration,
      proration_details: { credited_items: null },
      subscription: subscription?.id ?? null,
    },
    subscription_item_details: null,
    type: 'invoice_item_details',
  }
}

/** Returns the name of a price's product. */
export function nameOfPrice(world: World, price: Price): string {
  return world.store.find('product', price.product)?.body.name ?? 'Product'
}

/** Describes a line as Stripe does: `1 × 2 TB Annually (at $99.99 / year)`. */
export function describeLine(world: World, price: Price, quantity: number): string {
  const amount = formatMoney(price.unit_amount ?? 0, price.currency)
  const interval = describeInterval(price)
  return `${quantity} × ${nameOfPrice(world, price)} (at ${amount}${interval ? ` / ${interval}` : ''})`
}

export function describeProration(world: World, kind: 'Unused' | 'Remaining', price: Price, now: number): string {
  return `${kind} time on ${nameOfPrice(world, price)} after ${formatDate(now)}`
}

/** Returns `month`, `year` or `3 months`; undefined for a one-time price. */
export function describeInterval({ recurring }: Price): string | undefined {
  if (!recurring) return undefined
  const { interval, interval_count: count } = recurring
  return count === 1 ? interval : `${count} ${interval}s`
}
