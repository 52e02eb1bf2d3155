import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { availableMemory } from '../processes/available-memory.ts'
import { callerOf } from './client-network.ts'

const MEBIBYTE = 1024 * 1024
/** Smaller bodies are not counted: the rate limits bound how many there are. */
const SMALL = 64 * 1024
/** Bytes of bodies that one caller may have on their way: three selections of a hundred thousand items. */
const MAX_PER_CALLER = 16 * MEBIBYTE
/** And all callers together. */
const mostInAll = Math.min(128 * MEBIBYTE, Math.floor(availableMemory() / 8))

/** Counts the bytes of bodies that are kept in memory until they are whole, and refuses what would be too many. */
export class BodiesInFlight {
  readonly #ofCallers = new Map<string, number>()
  #total = 0

  /**
   * Takes what a request may bring, as announced or else as much as its call allows, until it is answered. Throws 'too
   * many' where its caller, and 'unavailable' where all callers together have too much on the way.
   */
  take(request: FastifyRequest, reply: FastifyReply, bodyLimit: number): void {
    const { 'content-length': length, 'transfer-encoding': transfer } = request.headers
    const size = length === undefined ? (transfer === undefined ? 0 : bodyLimit) : Number(length)
    // What is larger than the call allows is refused without being read.
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
      throw new AppError('unavailable', 'There is too much to do just now. Please try again in a moment.', {
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
