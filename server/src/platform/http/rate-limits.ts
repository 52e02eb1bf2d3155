import type { AnyCall } from '@alcove/contract/call'
import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../errors.ts'
import { callerOf, siteOf } from './client-network.ts'

/** How often something may happen: `points` within `seconds`. */
interface Limit {
  points: number
  seconds: number
}

/** How attempts on one account or link are slowed down when failures come from many networks. */
export interface SlowDown {
  readonly name: string
  /** Failures from everywhere together that slow nobody down. */
  free: Limit
  /** What callers from unknown networks share after that. */
  slowed: Limit
}

/** A /48 of IPv6 may hold several households: it gets so many times the points of one /64. */
const SITE_FACTOR = 4

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Hashing a password takes the memory and time that make guessing dear, also where it is the caller's own. */
const PASSWORDS: Limit = { points: 300, seconds: 15 * MINUTE }

/** The card provider limits how often we ask, for all users together: nobody is to use that up. */
export const ASKS_PROVIDER: Limit = { points: 300, seconds: 10 * MINUTE }

/** Per caller's address. Calls that cost much, send mail or could be used to guess have limits of their own. */
const GENERAL: Limit = { points: 6000, seconds: MINUTE }
/** A folder of ten thousand small files is as many requests; room and bandwidth limit those. */
const TRANSFERS: Limit = { points: 200_000, seconds: MINUTE }
const BY_PATH: Record<string, Limit> = {
  '/register': { points: 60, seconds: 10 * MINUTE },
  '/login': PASSWORDS,
  '/login/two-factor': PASSWORDS,
  '/login/passkey': PASSWORDS,
  '/login/passkey/options': { points: 300, seconds: 15 * MINUTE },
  '/resend-activation': { points: 60, seconds: HOUR },
  '/forgot-password': { points: 60, seconds: HOUR },
  '/activate': { points: 300, seconds: HOUR },
  '/validate-password/{resetToken}': { points: 300, seconds: HOUR },
  '/reset-password/{resetToken}': { points: 100, seconds: HOUR },
  '/account/dashboard': ASKS_PROVIDER,
  '/confirm-checkout': ASKS_PROVIDER,
  '/revert-to-free': ASKS_PROVIDER,
  // Each asks the card provider several times, and cards must not be tried out here.
  '/create-checkout-session': { points: 100, seconds: 10 * MINUTE },
  '/stripe/setup-intent': { points: 60, seconds: 10 * MINUTE },
  '/stripe/update-payment-method': { points: 60, seconds: 10 * MINUTE },
  '/public/{token}/unlock': PASSWORDS,
  // Reading a film, and encoding some seconds of it, for whoever has an address: enough for several who watch at once.
  '/public/{token}/playback': { points: 120, seconds: MINUTE },
  '/public/{token}/segments/{index}': { points: 300, seconds: MINUTE },
  '/update-email': PASSWORDS,
  '/update-password': PASSWORDS,
  '/account/two-factor/begin': PASSWORDS,
  '/account/two-factor/disable': PASSWORDS,
  '/account/two-factor/recovery-codes': PASSWORDS,
  '/account/passkeys/options': PASSWORDS,
  '/reauthenticate': PASSWORDS,
  '/reauthenticate/passkey': PASSWORDS,
  '/reauthenticate/passkey/options': { points: 300, seconds: 15 * MINUTE },
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
    if (own) return this.consumeFrom(call.path, own, ip)
    const isTransfer = call.requestType === 'multipart' || call.responseType === 'bytes'
    await this.consumeFrom(isTransfer ? 'transfers' : 'general', isTransfer ? TRANSFERS : GENERAL, ip)
  }

  /**
   * Counts one event of a caller, and of its whole /48 where it has IPv6. The /64 comes first: once that is refused, it
   * uses up nothing of what its neighbours may do.
   */
  async consumeFrom(name: string, limit: Limit, ip: string, key = ''): Promise<void> {
    await this.consume(name, limit, `${key} ${callerOf(ip)}`.trimStart())
    const site = siteOf(ip)
    if (site !== undefined) await this.consume(siteName(name), siteLimit(limit), `${key} ${site}`.trimStart())
  }

  /** Forgets what `consumeFrom` counted. */
  async forgetFrom(name: string, limit: Limit, ip: string, key = ''): Promise<void> {
    await this.forget(name, limit, `${key} ${callerOf(ip)}`.trimStart())
    const site = siteOf(ip)
    if (site !== undefined) await this.forget(siteName(name), siteLimit(limit), `${key} ${site}`.trimStart())
  }

  /**
   * Counts one attempt on an account or link, wherever it comes from. When there have been too many failures, callers who
   * aren't known share a few attempts; known ones go on, so that strangers can't lock them out.
   */
  async slowDown({ name, free, slowed }: SlowDown, key: string, isKnown: () => Promise<boolean>): Promise<void> {
    if (!this.#isOn) return
    try {
      await this.#limiter(name, free).consume(key)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      if (!(await isKnown())) await this.consume(`${name}, slowed`, slowed, key)
    }
  }

  /** Takes back what an attempt counted that succeeded from an unknown place: only failures slow down. */
  async giveBack({ name, free }: SlowDown, key: string): Promise<void> {
    if (this.#isOn) await this.#limiter(name, free).reward(key)
  }

  /** Ends the slowing down of an account or link. */
  async speedUp({ name, free, slowed }: SlowDown, key: string): Promise<void> {
    await this.forget(name, free, key)
    await this.forget(`${name}, slowed`, slowed, key)
  }

  /** Notes that something has happened under a key; never refuses. */
  async note(name: string, limit: Limit, key: string): Promise<void> {
    if (this.#isOn) await this.#limiter(name, limit).set(key, 1, limit.seconds)
  }

  /** Whether anything has been counted under a key within the limit's time. */
  async hasCounted(name: string, limit: Limit, key: string): Promise<boolean> {
    return this.#isOn && (await this.#limiter(name, limit).get(key)) !== null
  }

  /** Counts an event under a key, as one point or as many; throws 'too many' when the limit is passed. */
  async consume(name: string, limit: Limit, key: string, points = 1): Promise<void> {
    if (!this.#isOn) return
    try {
      await this.#limiter(name, limit).consume(key, points)
    } catch (error) {
      throw toPublicError(error)
    }
  }

  /** Throws 'too many' when the limit is already used up, without counting. */
  async assertNotUsedUp(name: string, limit: Limit, key: string): Promise<void> {
    if (!this.#isOn) return
    const state = await this.#limiter(name, limit).get(key)
    if (state && state.consumedPoints >= limit.points) throw toPublicError(state)
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

function siteName(name: string): string {
  return `${name} by site`
}

function siteLimit({ points, seconds }: Limit): Limit {
  return { points: points * SITE_FACTOR, seconds }
}

function toPublicError(error: unknown): unknown {
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
