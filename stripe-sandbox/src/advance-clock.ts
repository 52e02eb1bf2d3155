import { catchUp } from './due-work.ts'
import type { World } from './world.ts'

/** Ten years: longer would be a mistake. */
const MAX_ADVANCE = 10 * 366 * 86_400_000

/**
 * Moves the test clock from one thing that is due to the next. The events of each are delivered before the following
 * one happens, as they would be in real time. Several at once go one after another.
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
      return Promise.reject(new RangeError('The test clock moves forward, by ten years at most.'))
    }
    const move = last.then(() => moveTo(clock.now() + Math.round(milliseconds / 1000)))
    last = move.catch(() => undefined)
    return move
  }
}
