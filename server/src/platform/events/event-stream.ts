import { Readable } from 'node:stream'
import type { ServerEvent } from '@alcove/contract/events'

/** The content type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream'

/** How long a client waits before it connects again, in milliseconds. */
const RECONNECT_AFTER = 3_000

const HEARTBEAT = ': still here\n\n'

/**
 * The body of a response with server-sent events. While the client reads slowly, only the newest event of each type waits, so a
 * stream never takes more memory than that.
 */
export class EventStream extends Readable {
  readonly #waiting = new Map<string, string>()
  readonly #latest = new Map<string, string>()
  #isWanted = false

  constructor() {
    super({ highWaterMark: 1024 })
    this.#waiting.set('retry', `retry: ${RECONNECT_AFTER}\n\n`)
  }

  /** Sends an event, unless it is the same as the last one of its type. */
  send(event: ServerEvent): void {
    const text = `data: ${JSON.stringify(event)}\n\n`
    if (this.#latest.get(event.type) === text) return
    this.#latest.set(event.type, text)
    this.#waiting.set(event.type, text)
    this.#flush()
  }

  /** Keeps the connection open through proxies. Closes it if the client has not even taken what was sent before the last beat. */
  beat(): void {
    if (this.#waiting.has('heartbeat')) this.destroy()
    this.#waiting.set('heartbeat', HEARTBEAT)
    this.#flush()
  }

  /** Completes the response. The client connects again, perhaps to another server. */
  end(): void {
    if (this.#isWanted) this.push(null)
    // A client that takes nothing doesn't take the end either.
    else this.destroy()
  }

  override _read(): void {
    this.#isWanted = true
    this.#flush()
  }

  #flush(): void {
    if (!this.#isWanted || this.#waiting.size === 0 || this.destroyed) return
    this.#isWanted = false
    const texts = [...this.#waiting.values()]
    this.#waiting.clear()
    this.push(texts.join(''))
  }
}
