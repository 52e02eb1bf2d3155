/** The current time in milliseconds since 1970. Tests set it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * The clock has jumped if it was set forward by more than this between two runs, in milliseconds. Shorter gaps come from load.
 */
const JUMP = 3_600_000

/**
 * Wraps a scheduled job that ends what is too old. The job skips a run if the clock was set forward since the last one, because
 * everything would seem old. By the next run, active users have renewed their sessions, or the clock has been corrected. A
 * machine that slept looks the same and skips one run.
 */
export function unlessClockJumped<Input extends unknown[]>(
  clock: Clock,
  work: (...input: Input) => Promise<unknown>,
  steady: () => number = () => performance.now(),
): (...input: Input) => Promise<void> {
  let offset = clock.now() - steady()
  return async (...input) => {
    const before = offset
    offset = clock.now() - steady()
    if (offset - before <= JUMP) await work(...input)
  }
}
