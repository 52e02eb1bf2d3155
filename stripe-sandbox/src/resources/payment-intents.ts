import type { Parameters } from '../http/parameters.ts'
import { missing } from '../http/stripe-error.ts'
import type { Kept } from '../store/store.ts'
import type { PaymentIntent } from '../stripe-objects.ts'
import type { World } from '../world.ts'

export function getPaymentIntent(world: World, id: string): Kept<'payment_intent'> {
  const kept = world.store.find('payment_intent', id)
  if (!kept) throw missing('payment_intent', id, 'intent')
  return kept
}

/** What was said about a payment may change, also once it was made. */
export function updatePaymentIntent(world: World, id: string, params: Parameters): PaymentIntent {
  const { body, hidden } = getPaymentIntent(world, id)
  body.metadata = params.metadata(body.metadata)
  if (params.has('description')) body.description = params.text('description') || null
  world.store.keep(body, hidden)
  return body
}
