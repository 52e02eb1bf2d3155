import type { Store } from '../store/store.ts'
import type { TestClock } from '../test-clock.ts'
import { signBody } from './sign.ts'

/** Seconds until an event is sent again; the last one counts from then on. */
const BACK_OFF = [10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600]
/** Whoever takes longer has failed. */
const TIME_LIMIT = 20_000

interface DelivererOptions {
  store: Store
  clock: TestClock
  webhookSecret: string
  deliver(body: string, signature: string): Promise<number>
}

interface DueEvent {
  id: string
  body: string
  attempts: number
}

/** Sends the events that were written down, one after another, each until it is taken. */
export class Deliverer {
  readonly #options: DelivererOptions
  #sending: Promise<void> | undefined
  readonly #closing = Promise.withResolvers<number>()
  #isClosed = false

  constructor(options: DelivererOptions) {
    this.#options = options
  }

  /** Sends what is due, without anyone waiting for it. What cannot even be noted is due again after the next start. */
  wake(): void {
    if (!this.#sending) this.settle().catch(() => undefined)
  }

  /** Until every event that is due now was sent; one that failed is due later. */
  async settle(): Promise<void> {
    while (!this.#isClosed && this.#nextDue()) {
      this.#sending ??= this.#sendDue().finally(() => {
        this.#sending = undefined
      })
      await this.#sending
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // What is under way is not waited for: it is sent again after the next start.
    this.#closing.resolve(503)
    await this.#sending
  }

  async #sendDue(): Promise<void> {
    // What the change that woke us has still to do comes first.
    await Promise.resolve()
    for (let event = this.#nextDue(); event && !this.#isClosed; event = this.#nextDue()) {
      this.#note(event, await this.#send(event))
    }
  }

  #nextDue(): DueEvent | undefined {
    const { store, clock } = this.#options
    return store.get(
      `select id, body, attempts from events where next_attempt_at is not null and next_attempt_at <= ?
      order by next_attempt_at, sequence limit 1`,
      clock.now(),
    )
  }

  async #send({ body }: DueEvent): Promise<boolean> {
    const { clock, webhookSecret, deliver } = this.#options
    const signature = signBody(body, webhookSecret, Math.floor(clock.outside() / 1000))
    const timer = Promise.withResolvers<number>()
    const timeout = setTimeout(() => timer.resolve(504), TIME_LIMIT)
    try {
      const status = await Promise.race([deliver(body, signature), timer.promise, this.#closing.promise])
      return status >= 200 && status < 300
    } catch {
      return false
    } finally {
      clearTimeout(timeout)
    }
  }

  #note({ id, attempts }: DueEvent, isTaken: boolean): void {
    const { store, clock } = this.#options
    const wait = BACK_OFF[attempts] ?? (BACK_OFF.at(-1) as number)
    store.run(
      'update events set attempts = attempts + 1, next_attempt_at = ? where id = ?',
      isTaken ? null : clock.now() + wait,
      id,
    )
  }
}
