import type { AnyCall } from '@alcove/contract/call'
import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../errors.ts'

/** How often something may happen: `points` within `seconds`. */
interface Limit {
  points: number
  seconds: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Per caller's address. Calls that cost much, send mail or could be used to guess have limits of their own. */
const GENERAL: Limit = { points: 6000, seconds: MINUTE }
/** A folder of ten thousand small files is as many requests; room and bandwidth limit those. */
const TRANSFERS: Limit = { points: 200_000, seconds: MINUTE }
const BY_PATH: Record<string, Limit> = {
  '/register': { points: 60, seconds: 10 * MINUTE },
  '/login': { points: 300, seconds: 15 * MINUTE },
  '/login/two-factor': { points: 300, seconds: 15 * MINUTE },
  '/login/passkey': { points: 300, seconds: 15 * MINUTE },
  '/login/passkey/options': { points: 300, seconds: 15 * MINUTE },
  '/resend-activation': { points: 60, seconds: HOUR },
  '/forgot-password': { points: 60, seconds: HOUR },
  '/activate': { points: 300, seconds: HOUR },
  '/validate-password/{resetToken}': { points: 300, seconds: HOUR },
  '/reset-password/{resetToken}': { points: 100, seconds: HOUR },
  // Each asks the card provider several times, and cards must not be tried out here.
  '/create-checkout-session': { points: 100, seconds: 10 * MINUTE },
  '/stripe/setup-intent': { points: 60, seconds: 10 * MINUTE },
  '/stripe/update-payment-method': { points: 60, seconds: 10 * MINUTE },
  '/public/{token}/unlock': { points: 300, seconds: 15 * MINUTE },
}

/**
 * Counts what callers do and refuses what is too much, with the time to wait. With Redis all servers count together;
 * while it is away each counts for itself.
 */
export class RateLimits {
  readonly #isOn: boolean
  readonly #redis: Redis | undefined
  readonly #limiters = new Map<string, RateLimiterAbstract>()

  constructor(isOn: boolean, redis?: Redis) {
    this.#isOn = isOn
    this.#redis = redis
  }

  /** Counts one request for a call from an address. */
  async admitRequest(call: AnyCall, ip: string): Promise<void> {
    const own = BY_PATH[call.path]
    if (own) return this.consume(call.path, own, ip)
    const isTransfer = call.sends === 'multipart' || call.answers === 'bytes'
    await this.consume(isTransfer ? 'transfers' : 'general', isTransfer ? TRANSFERS : GENERAL, ip)
  }

  /** Counts one event under a key; throws 'too many' when the limit is passed. */
  async consume(name: string, limit: Limit, key: string): Promise<void> {
    if (!this.#isOn) return
    try {
      await this.#limiter(name, limit).consume(key)
    } catch (error) {
      throw toRefusal(error)
    }
  }

  /** Throws 'too many' when the limit is already used up, without counting. */
  async assertNotUsedUp(name: string, limit: Limit, key: string): Promise<void> {
    if (!this.#isOn) return
    const state = await this.#limiter(name, limit).get(key)
    if (state && state.consumedPoints >= limit.points) throw toRefusal(state)
  }

  async forget(name: string, limit: Limit, key: string): Promise<void> {
    await this.#limiter(name, limit).delete(key)
  }

  close(): void {
    this.#redis?.disconnect()
  }

  #limiter(name: string, limit: Limit): RateLimiterAbstract {
    let limiter = this.#limiters.get(name)
    if (!limiter) {
      limiter = this.#createLimiter(name, limit)
      this.#limiters.set(name, limiter)
    }
    return limiter
  }

  #createLimiter(name: string, limit: Limit): RateLimiterAbstract {
    const options = { keyPrefix: `alcove ${name}`, points: limit.points, duration: limit.seconds }
    const inProcess = new RateLimiterMemory(options)
    if (!this.#redis) return inProcess
    return new RateLimiterRedis({
      ...options,
      storeClient: this.#redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: inProcess,
    })
  }
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof RateLimiterRes)) return error
  const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
  return new AppError('too_many_requests', `Too many attempts. Please try again in ${describeWait(seconds)}.`, {
    retryAfterSeconds: seconds,
  })
}

function describeWait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
