import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import type { Store } from './store.ts'
import type { StripeEvent } from './stripe-objects.ts'
import { newId } from './text.ts'
import type { TestClock, World } from './world.ts'

/** The version of Stripe's API that the sandbox implements: the SDK's default. */
export const API_VERSION = '2026-10-28.endive'

/** Stores an event in the current transaction. The `Deliverer` sends it after the commit. */
export function emit(world: World, type: Stripe.Event.Type, object: object, previous?: object): void {
  const { store, clock } = world
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: clock.now(),
    data: { object: { ...object }, ...(previous && { previous_attributes: { ...previous } }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
  store.run(
    'insert into events (id, body, next_attempt_at) values (?, ?, ?)',
    event.id,
    JSON.stringify(event),
    clock.now(),
  )
}

/** Returns the old values of the fields that changed, for `previous_attributes`; undefined if nothing changed. */
export function differences<T extends object>(before: T, after: T): Partial<T> | undefined {
  const changed = Object.entries(before).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name as keyof T]),
  )
  return changed.length > 0 ? (Object.fromEntries(changed) as Partial<T>) : undefined
}

/** Seconds before each retry of an event; the last value applies to all further retries. */
const BACK_OFF = [10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600]
/** A delivery that takes longer has failed. */
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

/** Sends stored events to the webhook, one at a time and in order, and retries each until the webhook accepts it. */
export class Deliverer {
  readonly #options: DelivererOptions
  #sending: Promise<void> | undefined
  readonly #closing = Promise.withResolvers<number>()
  #isClosed = false

  constructor(options: DelivererOptions) {
    this.#options = options
  }

  /** Starts to send due events in the background. An event whose result can't be stored is sent again after a restart. */
  wake(): void {
    if (!this.#sending) this.settle().catch(() => undefined)
  }

  /** Waits until every event that is due now was tried once. A failed one is due again later. */
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
    // A delivery in progress is abandoned; its event is sent again after a restart.
    this.#closing.resolve(503)
    await this.#sending
  }

  async #sendDue(): Promise<void> {
    // Let the caller that woke us finish first.
    await Promise.resolve()
    for (let event = this.#nextDue(); event && !this.#isClosed; event = this.#nextDue()) {
      this.#record(event, await this.#send(event))
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

  #record({ id, attempts }: DueEvent, isAccepted: boolean): void {
    const { store, clock } = this.#options
    const wait = BACK_OFF[attempts] ?? (BACK_OFF.at(-1) as number)
    store.run(
      'update events set attempts = attempts + 1, next_attempt_at = ? where id = ?',
      isAccepted ? null : clock.now() + wait,
      id,
    )
  }
}

/** Returns the `Stripe-Signature` header for a body. */
function signBody(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}
