import type { Deliverer } from './events/deliverer.ts'
import type { Store } from './store/store.ts'
import type { TestClock } from './test-clock.ts'

/** What everything in the sandbox works with. */
export interface World {
  readonly store: Store
  readonly clock: TestClock
  readonly deliverer: Deliverer
  /** Without a slash at its end. */
  readonly pagesUrl: string
  readonly secretKey: string
  readonly publishableKey: string
}
