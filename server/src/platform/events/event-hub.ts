import type { ServerEvent } from '@alcove/contract/events'
import { AppError } from '../../errors.ts'
import { callerOf } from '../http/client-address.ts'
import { EventStream } from './event-stream.ts'

/** The most open streams of a user and of an address, such as an office, on one server. */
const MAX_PER_USER = 20
const MAX_PER_ADDRESS = 200
/** When a client that was refused may try again, in seconds. It can poll meanwhile. */
const TRY_AGAIN_AFTER = 60

/** Who reads a stream. */
export interface Listener {
  readonly userId: string
  /** The session or the app password. */
  readonly sessionId: string
  readonly isAppPassword: boolean
  /** Whether it gets no events, as an app password of one folder, which must not learn about anything outside. */
  readonly isSilent: boolean
  readonly ip: string
  /** When the stream ends, so that its client authenticates again. */
  readonly endsAt: number
}

interface Audience {
  readonly streams: Map<EventStream, Listener>
  /** The last event of each type that was published to the user, by its position in the order of all events. */
  readonly positions: Map<ServerEvent['type'], number>
}

/** The open event streams of this server. Every module can publish an event to a user, after the commit of what it tells about. */
export class EventHub {
  readonly #isLimited: boolean
  readonly #audiences = new Map<string, Audience>()
  readonly #addresses = new Map<string, number>()
  #published = 0
  #isClosed = false

  constructor(isLimited: boolean) {
    this.#isLimited = isLimited
  }

  /** Opens a stream. Throws 'too many' above the limits. */
  open(listener: Listener): EventStream {
    if (this.#isClosed) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 1 })
    const address = callerOf(listener.ip)
    const audience = this.#audiences.get(listener.userId) ?? { streams: new Map(), positions: new Map() }
    const ofAddress = this.#addresses.get(address) ?? 0
    if (this.#isLimited && (audience.streams.size >= MAX_PER_USER || ofAddress >= MAX_PER_ADDRESS)) throw tooMany()
    const stream = new EventStream()
    this.#audiences.set(listener.userId, audience)
    this.#addresses.set(address, ofAddress + 1)
    audience.streams.set(stream, listener)
    stream.once('close', () => {
      audience.streams.delete(stream)
      if (audience.streams.size === 0) this.#audiences.delete(listener.userId)
      const left = (this.#addresses.get(address) ?? 0) - 1
      if (left > 0) this.#addresses.set(address, left)
      else this.#addresses.delete(address)
    })
    return stream
  }

  /** Returns the current position in the order of all events, for `publish`. */
  get position(): number {
    return this.#published
  }

  /**
   * Sends an event to a user's streams on this server. Call it after the commit. With `asOf`, the position when the event was read
   * from the database, it is dropped if another event of its type has overtaken it.
   */
  publish(userId: string, event: ServerEvent, asOf = this.#published): void {
    const audience = this.#audiences.get(userId)
    if (!audience || (audience.positions.get(event.type) ?? 0) > asOf) return
    this.#published += 1
    audience.positions.set(event.type, this.#published)
    for (const [stream, listener] of audience.streams) if (mayGet(listener, event)) stream.send(event)
  }

  /** Returns the users with open streams. */
  listeningUsers(): string[] {
    return [...this.#audiences.keys()]
  }

  /** Returns all open streams with their listeners. */
  listeners(): [EventStream, Listener][] {
    return [...this.#audiences.values()].flatMap(({ streams }) => [...streams])
  }

  /** Ends all streams and refuses new ones, because the server stops. */
  close(): void {
    this.#isClosed = true
    for (const [stream] of this.listeners()) stream.end()
  }
}

/** App passwords learn nothing about the account, and don't reach what others share. */
function mayGet({ isSilent, isAppPassword }: Listener, { type }: ServerEvent): boolean {
  return !isSilent && !(isAppPassword && type !== 'changes')
}

function tooMany(): AppError {
  return new AppError('too_many_requests', 'Too many open event streams. Close some of them, then try again.', {
    retryAfterSeconds: TRY_AGAIN_AFTER,
  })
}
