import type { BillingPeriod } from '@alcove/contract/plans'

/** Formats a plan's price in dollars, with two decimals. */
export function formatPrice(price: number | null): string {
  return price === null ? '$--.--' : `$${price.toFixed(2)}`
}

const suffixes: Readonly<Record<BillingPeriod, string>> = { Monthly: ' /mth', Annually: ' /yr', Lifetime: ' USD' }

/** Returns the suffix of a price, which says how often it is charged. */
export function suffixOf(period: BillingPeriod): string {
  return suffixes[period]
}

/** Formats the total of an invoice with its currency: `$99.99 USD`, `-$12.00 USD`. */
export function formatTotal(total: number, currency: string): string {
  const code = currency.toUpperCase()
  return /^[A-Z]{3}$/.test(code)
    ? `${total.toLocaleString('en-US', { style: 'currency', currency: code })} ${code}`
    : `${total.toFixed(2)} ${code}`.trim()
}
