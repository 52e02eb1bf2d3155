import { differences, emit } from '../events/emit.ts'
import type { Kept } from '../store/store.ts'
import type { Subscription, SubscriptionItem } from '../stripe-objects.ts'
import type { World } from '../world.ts'

/** How long a subscription waits for its first payment. */
const INCOMPLETE_FOR = 23 * 3600

/** The sandbox's subscriptions have one item each. */
export function itemOf({ items }: Subscription): SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error('A subscription has an item.')
  return item
}

export function isEnded({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** Stores what has changed and tells of it. */
export function keepSubscription(world: World, { body, hidden }: Kept<'subscription'>, before: Subscription): void {
  world.store.keep(body, hidden, { dueAt: dueAtOf(body) })
  const changed = differences(before, body)
  if (changed) emit(world, 'customer.subscription.updated', body, changed)
}

/** When something happens to it by itself. */
export function dueAtOf(body: Subscription): number | null {
  if (isEnded(body)) return null
  return body.status === 'incomplete' ? body.created + INCOMPLETE_FOR : itemOf(body).current_period_end
}

/** The card that pays for it: its own, else the customer's. */
export function cardFor(world: World, { customer, default_payment_method }: Subscription): string | null {
  const cards = [
    default_payment_method,
    world.store.find('customer', customer)?.body.invoice_settings?.default_payment_method,
  ]
  const usable = cards.find(
    (id) => typeof id === 'string' && world.store.find('payment_method', id)?.body.customer === customer,
  )
  return (usable as string | undefined) ?? null
}
