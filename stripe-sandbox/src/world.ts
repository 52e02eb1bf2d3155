import type { Store } from './store.ts'

/** What every part of the sandbox works with. */
export interface World {
  readonly store: Store
  readonly clock: TestClock
  /** Sends events to the webhook; see `Deliverer`. */
  readonly deliverer: { wake(): void; settle(): Promise<void> }
  /** Without a trailing slash. */
  readonly pagesUrl: string
  readonly secretKey: string
  readonly publishableKey: string
}

const OFFSET = 'clock_offset'

/** The sandbox's time: the given clock plus a stored offset that only grows. */
export class TestClock {
  readonly #store: Store
  readonly #clock: { now(): number }
  #held: number | undefined

  constructor(store: Store, clock: { now(): number }) {
    this.#store = store
    this.#clock = clock
  }

  /** The sandbox's time in seconds, the unit that Stripe uses. */
  now(): number {
    return this.#held ?? Math.floor((this.#clock.now() + this.#offset()) / 1000)
  }

  /** The given clock's time in milliseconds, which moving the test clock doesn't change. */
  outside(): number {
    return this.#clock.now()
  }

  /** Runs `work` as if it were this time, in seconds. */
  at<T>(seconds: number, work: () => T): T {
    this.#held = seconds
    try {
      return work()
    } finally {
      this.#held = undefined
    }
  }

  /** Moves the clock forward to a time in seconds. Does nothing if that time has passed. */
  moveTo(seconds: number): void {
    const offset = seconds * 1000 - this.#clock.now()
    if (offset > this.#offset()) this.#store.setSetting(OFFSET, String(offset))
  }

  #offset(): number {
    return Number(this.#store.getSetting(OFFSET) ?? 0)
  }
}
