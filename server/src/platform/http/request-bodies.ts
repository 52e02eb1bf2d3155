import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { availableMemory } from '../processes/operating-system.ts'
import { callerOf } from './client-address.ts'

const MEBIBYTE = 1024 * 1024
/** Smaller bodies are not counted: the rate limits already bound their number. */
const SMALL = 64 * 1024
/** Bytes of bodies in flight for one caller: three selections of a hundred thousand items. */
const MAX_PER_CALLER = 16 * MEBIBYTE
/** Bytes of bodies in flight for all callers together. */
const mostInAll = Math.min(128 * MEBIBYTE, Math.floor(availableMemory() / 8))

/** Limits the bytes of request bodies that are buffered in memory at the same time. */
class BodiesInFlight {
  readonly #ofCallers = new Map<string, number>()
  #total = 0

  /**
   * Reserves the announced size of a request's body, or else the limit of its call, until the response is sent. Throws
   * `too_many_requests` if its caller has too much in flight, and `unavailable` if all callers together have.
   */
  take(request: FastifyRequest, reply: FastifyReply, bodyLimit: number): void {
    const { 'content-length': length, 'transfer-encoding': transfer } = request.headers
    const size = length === undefined ? (transfer === undefined ? 0 : bodyLimit) : Number(length)
    // A body that is larger than the call allows is rejected without being read.
    if (size <= SMALL || size > bodyLimit) return
    const caller = callerOf(request.ip)
    const ofCaller = (this.#ofCallers.get(caller) ?? 0) + size
    const retryAfterSeconds = 5
    if (ofCaller > MAX_PER_CALLER) {
      throw new AppError('too_many_requests', 'Too many large requests at once. Please try again in a moment.', {
        retryAfterSeconds,
      })
    }
    if (this.#total + size > mostInAll) {
      throw new AppError('unavailable', 'The server is busy. Please try again in a moment.', {
        retryAfterSeconds,
      })
    }
    this.#ofCallers.set(caller, ofCaller)
    this.#total += size
    reply.raw.once('close', () => {
      this.#total -= size
      const left = (this.#ofCallers.get(caller) ?? size) - size
      if (left > 0) this.#ofCallers.set(caller, left)
      else this.#ofCallers.delete(caller)
    })
  }
}

/** Shared by all apps in this process, because they share its memory. */
export const bodiesInFlight = new BodiesInFlight()

/** Returns whether a request announces a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** How long a client may send nothing in the middle of a body, in milliseconds: a lost connection is not always reported. */
const IDLE_TIMEOUT = 60_000
/** The same while another request waits for this one to end. */
const SHORT_IDLE_TIMEOUT = 2000
const LOOK_EVERY = 1000
/** A client must send at least this many bytes in each window (milliseconds): a kibibyte a second, which any phone can do. */
const WINDOW = 60_000
const LEAST_IN_WINDOW = 60 * 1024

/**
 * Closes the connection of a client that stops sending in the middle of a body, or sends next to nothing to keep it open. Time
 * during which we don't read doesn't count.
 */
export function abortWhenIdle(request: IncomingMessage): { hurry(): void } {
  let idleTimeout = IDLE_TIMEOUT
  let received = request.socket.bytesRead
  let movedAt = performance.now()
  let window = { began: movedAt, received }
  const watch = setInterval(() => {
    const now = performance.now()
    if (request.isPaused()) window = { began: now, received: request.socket.bytesRead }
    else if (now - window.began >= WINDOW) {
      if (request.socket.bytesRead - window.received < LEAST_IN_WINDOW) request.destroy()
      window = { began: now, received: request.socket.bytesRead }
    }
    const hasMoved = request.socket.bytesRead !== received || request.isPaused()
    if (hasMoved) {
      received = request.socket.bytesRead
      movedAt = performance.now()
    } else if (performance.now() - movedAt >= idleTimeout) request.destroy()
  }, LOOK_EVERY).unref()
  const stop = () => clearInterval(watch)
  request.once('end', stop).once('close', stop)
  return {
    hurry: () => {
      idleTimeout = SHORT_IDLE_TIMEOUT
    },
  }
}

/** Bytes of an unwanted body that are read at most: more than a chunk of the largest size. */
const MAX = 128 * 1024 * 1024
/** Milliseconds in which the rest must arrive. */
const WITHIN = 60_000

/**
 * Reads and drops the rest of a body after a refusal. Closing a connection with unread bytes would reset it, and the client would
 * lose the response; on a connection that stays open they would precede the next request. A client that sends more than a chunk,
 * or takes too long, is disconnected.
 */
export function drainRequest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  // A parser that was aborted no longer reads what is piped to it.
  request.unpipe()
  let left = MAX
  request.on('data', (bytes: Buffer) => {
    left -= bytes.length
    if (left < 0) request.destroy()
  })
  const timer = setTimeout(() => request.destroy(), WITHIN).unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}

/**
 * Parses JSON as Fastify does, but accepts an empty body: the web sends the content type with every call, even without a body
 * (specification, section 7).
 */
export function readJsonOrNothing(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') done(null, undefined)
    else return parse(request, body, done)
  })
}
