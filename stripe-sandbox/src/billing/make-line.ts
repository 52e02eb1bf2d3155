import { newId } from '../ids.ts'
import type { InvoiceLine, Price } from '../stripe-objects.ts'

export interface LineOptions {
  price: Price
  amount: number
  quantity: number
  description: string
  period: { start: number; end: number }
  /** Of the subscription that it is for; none for what is paid once. */
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

/** Prorations are items of their own; what is due for a period belongs to the subscription's item. */
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
