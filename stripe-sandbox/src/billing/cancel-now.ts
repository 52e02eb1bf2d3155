import { emit } from '../events/emit.ts'
import type { Kept } from '../store/store.ts'
import type { World } from '../world.ts'

/** Ends a subscription. What is still open of it stays open, and nobody tries to collect it any more. */
export function cancelNow(
  world: World,
  { body, hidden }: Kept<'subscription'>,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  const { store, clock } = world
  body.status = 'canceled'
  body.canceled_at ??= clock.now()
  body.ended_at = clock.now()
  body.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    ...body.cancellation_details,
    reason,
  }
  hidden.pendingLines = []
  store.keep(body, hidden, { dueAt: null })
  for (const invoice of store.list('invoice', { lookup: body.id })) {
    if (invoice.body.status !== 'open') continue
    invoice.body.auto_advance = false
    invoice.body.next_payment_attempt = null
    store.keep(invoice.body, invoice.hidden, { dueAt: null })
    emit(world, 'invoice.updated', invoice.body)
  }
  emit(world, 'customer.subscription.deleted', body)
}
