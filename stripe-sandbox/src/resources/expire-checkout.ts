import { emit } from '../events/emit.ts'
import type { World } from '../world.ts'

/** A checkout that nobody paid in its time. */
export function expireCheckout(world: World, id: string): void {
  const kept = world.store.find('checkout.session', id)
  if (kept?.body.status !== 'open') return
  kept.body.status = 'expired'
  kept.body.url = null
  world.store.keep(kept.body, kept.hidden, { dueAt: null })
  emit(world, 'checkout.session.expired', kept.body)
}
