import type { Clock } from './clock.ts'

/** A clock that was set forward by more than this, in milliseconds, between two rounds has jumped; less is patience or load. */
const JUMP = 3_600_000

/**
 * Regular work that ends what is too old. It leaves out the round that finds the time of day set forward since the last
 * one: what was touched a minute ago would seem to be of long ago. By the next round who is there has touched it
 * again, or the clock has been put right. A machine that slept looks the same, and loses a round.
 */
export function unlessClockJumped(
  clock: Clock,
  work: () => Promise<unknown>,
  steady: () => number = () => performance.now(),
): () => Promise<void> {
  let offset = clock.now() - steady()
  return async () => {
    const before = offset
    offset = clock.now() - steady()
    if (offset - before <= JUMP) await work()
  }
}
