import { type BillingPeriod, tierOf } from '@alcove/contract/plans'
import { plural } from '../../../lib/format.ts'
import { formatPrice, suffixOf } from '../../../lib/prices.ts'

interface Sold {
  readonly period: BillingPeriod
  readonly name: string | null
  readonly gigabytes: number
  readonly price: number
}

/** Returns what a plan is called: by its name or, without one, by its storage. */
export function titleOf({ name, gigabytes }: Pick<Sold, 'name' | 'gigabytes'>): string {
  return name ?? tierOf(gigabytes)
}

/** Formats a price with how often it is charged, on one line: `$9.99 /mth`. */
export function formatCharge({ price, period }: Pick<Sold, 'price' | 'period'>): string {
  return `${formatPrice(price)}${suffixOf(period)}`.replace(' ', '\u00a0')
}

/** Returns what a plan is, with its storage and its price. */
export function describeTerms(plan: Sold): string {
  const tier = tierOf(plan.gigabytes)
  return `${plan.name === null ? tier : `“${plan.name}”, ${tier},`} for ${formatCharge(plan)}`
}

/** Returns that those who have a plan keep it, as a sentence; nothing if nobody has it. */
export function describeKeeping({ subscribers, ...plan }: Sold & { readonly subscribers: number }): string | undefined {
  if (subscribers === 0) return undefined
  const who = subscribers === 1 ? 'Its subscriber keeps' : `Its ${plural(subscribers, 'subscriber')} keep`
  return `${who} ${describeTerms(plan)}.`
}
