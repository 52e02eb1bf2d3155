import { retryPayment } from './billing/settle-invoice.ts'
import { passPeriodEnd } from './billing/subscription-lifecycle.ts'
import { expireCheckout } from './resources/checkout-sessions.ts'
import type { ObjectName } from './stripe-objects.ts'
import type { World } from './world.ts'

/** A bound on the loop in `catchUp`, in case something makes itself due again and again. */
const MAX_STEPS = 10_000

/** What to do with an object whose `due_at` has passed. */
const handlers: Partial<Record<ObjectName, (world: World, id: string) => void>> = {
  subscription: passPeriodEnd,
  invoice: retryPayment,
  'checkout.session': expireCheckout,
}

/** Processes everything that is due, in order, each as of the time at which it was due. */
export function catchUp(world: World): void {
  const { store, clock } = world
  for (let step = 0; step < MAX_STEPS; step++) {
    const due = store.nextDue(clock.now())
    if (!due) return
    clock.at(due.dueAt, () => {
      store.transaction(() => {
        store.run('update objects set due_at = null where id = ?', due.id)
        handlers[due.object]?.(world, due.id)
      })
    })
  }
}

/** Runs a change in a transaction, after everything that was due before it, and sends its events afterwards. */
export function change<T>(world: World, make: () => T): T {
  catchUp(world)
  try {
    return world.store.transaction(make)
  } finally {
    world.deliverer.wake()
  }
}

/** Ten years. A larger step is a mistake. */
const MAX_ADVANCE = 10 * 366 * 86_400_000

/**
 * Returns a function that moves the test clock forward, stopping at everything that becomes due on the way. The events
 * of each stop are delivered before the next one, as in real time. Concurrent calls run one after another.
 */
export function advanceClock(world: World): (milliseconds: number) => Promise<void> {
  const { store, clock, deliverer } = world
  let last: Promise<void> = Promise.resolve()

  async function moveTo(target: number): Promise<void> {
    await deliverer.settle()
    for (let due = store.nextDue(target); due; due = store.nextDue(target)) {
      clock.moveTo(due.dueAt)
      catchUp(world)
      await deliverer.settle()
    }
    clock.moveTo(target)
    await deliverer.settle()
  }

  return (milliseconds) => {
    if (!Number.isInteger(milliseconds) || milliseconds < 0 || milliseconds > MAX_ADVANCE) {
      return Promise.reject(new RangeError('The test clock moves forward only, and at most ten years at a time.'))
    }
    const move = last.then(() => moveTo(clock.now() + Math.round(milliseconds / 1000)))
    last = move.catch(() => undefined)
    return move
  }
}
