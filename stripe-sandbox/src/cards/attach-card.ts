import { emit } from '../events/emit.ts'
import type { Kept } from '../store/store.ts'
import type { World } from '../world.ts'
import { declineError } from './decline-error.ts'

/** Attaches a card to a customer. The bank is asked, so the card may be declined. */
export function attachCard(world: World, card: Kept<'payment_method'>, customerId: string): void {
  const { body, hidden } = card
  if (body.customer === customerId) return
  if (hidden.card.onAttach) throw declineError(hidden.card.onAttach)
  body.customer = customerId
  world.store.keep(body, hidden, { customer: customerId })
  emit(world, 'payment_method.attached', body)
}
