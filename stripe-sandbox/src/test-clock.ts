import type { Store } from './store/store.ts'

const OFFSET = 'clock_offset'

/** The sandbox's time: the given clock and a stored offset, which only grows. */
export class TestClock {
  readonly #store: Store
  readonly #clock: { now(): number }
  #held: number | undefined

  constructor(store: Store, clock: { now(): number }) {
    this.#store = store
    this.#clock = clock
  }

  /** The sandbox's time in seconds, as Stripe has them. */
  now(): number {
    return this.#held ?? Math.floor((this.#clock.now() + this.#offset()) / 1000)
  }

  /** The time outside in milliseconds: what people wait by, whatever the sandbox's time is. */
  outside(): number {
    return this.#clock.now()
  }

  /** What is done now was due then. */
  at<T>(seconds: number, work: () => T): T {
    this.#held = seconds
    try {
      return work()
    } finally {
      this.#held = undefined
    }
  }

  /** Moves to a time, in seconds; never back. */
  moveTo(seconds: number): void {
    const offset = seconds * 1000 - this.#clock.now()
    if (offset > this.#offset()) this.#store.setSetting(OFFSET, String(offset))
  }

  #offset(): number {
    return Number(this.#store.getSetting(OFFSET) ?? 0)
  }
}
