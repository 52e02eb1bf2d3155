import { passPeriodEnd } from './billing/pass-period-end.ts'
import { retryPayment } from './billing/retry-payment.ts'
import { expireCheckout } from './resources/expire-checkout.ts'
import type { ObjectName } from './stripe-objects.ts'
import type { World } from './world.ts'

/** Longer than any way of saying 'once more' takes; what comes again and again would otherwise come for ever. */
const MAX_STEPS = 10_000

/** What time brings: which work it is, and for whom. */
const work: Partial<Record<ObjectName, (world: World, id: string) => void>> = {
  subscription: passPeriodEnd,
  invoice: retryPayment,
  'checkout.session': expireCheckout,
}

/** Does what has become due since anyone looked, in its order and as of the time at which it was due. */
export function catchUp(world: World): void {
  const { store, clock } = world
  for (let step = 0; step < MAX_STEPS; step++) {
    const due = store.nextDue(clock.now())
    if (!due) return
    clock.at(due.dueAt, () => {
      store.transaction(() => {
        store.run('update objects set due_at = null where id = ?', due.id)
        work[due.object]?.(world, due.id)
      })
    })
  }
}

/** One change, at the time that it is: what was due before comes first, and the events go out after it. */
export function change<T>(world: World, make: () => T): T {
  catchUp(world)
  try {
    return world.store.transaction(make)
  } finally {
    world.deliverer.wake()
  }
}
