/** The time, as milliseconds since 1970; tests set it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
