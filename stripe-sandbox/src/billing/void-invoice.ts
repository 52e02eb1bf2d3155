import { emit } from '../events/emit.ts'
import type { Kept } from '../store/store.ts'
import type { World } from '../world.ts'

/** Nobody owes it any more. */
export function voidInvoice(world: World, { body, hidden }: Kept<'invoice'>): void {
  body.status = 'void'
  body.auto_advance = false
  body.next_payment_attempt = null
  body.status_transitions.voided_at = world.clock.now()
  world.store.keep(body, hidden, { dueAt: null })
  emit(world, 'invoice.voided', body)
}
