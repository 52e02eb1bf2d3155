import { formatDate, formatMoney } from '../format.ts'
import type { Price } from '../stripe-objects.ts'
import type { World } from '../world.ts'

/** What a price is called: its product's name. */
export function nameOfPrice(world: World, price: Price): string {
  return world.store.find('product', price.product)?.body.name ?? 'Product'
}

/** `1 × 2 TB Annually (at $99.99 / year)` */
export function describeLine(world: World, price: Price, quantity: number): string {
  const amount = formatMoney(price.unit_amount ?? 0, price.currency)
  const rhythm = describeRhythm(price)
  return `${quantity} × ${nameOfPrice(world, price)} (at ${amount}${rhythm ? ` / ${rhythm}` : ''})`
}

export function describeUnused(world: World, price: Price, now: number): string {
  return `Unused time on ${nameOfPrice(world, price)} after ${formatDate(now)}`
}

export function describeRemaining(world: World, price: Price, now: number): string {
  return `Remaining time on ${nameOfPrice(world, price)} after ${formatDate(now)}`
}

/** `month`, `year`, `3 months`; undefined for what is paid once. */
export function describeRhythm({ recurring }: Price): string | undefined {
  if (!recurring) return undefined
  const { interval, interval_count: count } = recurring
  return count === 1 ? interval : `${count} ${interval}s`
}
