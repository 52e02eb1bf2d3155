import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import type { StripeEvent } from '../stripe-objects.ts'
import type { World } from '../world.ts'

/** The version of Stripe's API that the sandbox speaks: the SDK's own. */
export const API_VERSION = '2026-10-28.endive'

/** Writes down that something happened, in the transaction in which it did; it is sent afterwards. */
export function emit(world: World, type: Stripe.Event.Type, object: object, previous?: object): void {
  const { store, clock } = world
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: clock.now(),
    data: { object: { ...object }, ...(previous && { previous_attributes: { ...previous } }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
  store.run(
    'insert into events (id, body, next_attempt_at) values (?, ?, ?)',
    event.id,
    JSON.stringify(event),
    clock.now(),
  )
}

/** What was different before, as events tell it. */
export function differences<T extends object>(before: T, after: T): Partial<T> | undefined {
  const changed = Object.entries(before).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name as keyof T]),
  )
  return changed.length > 0 ? (Object.fromEntries(changed) as Partial<T>) : undefined
}
