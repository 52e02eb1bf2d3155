/// <reference path="./rate-limiter-flexible.d.ts" />
import type { AnyCall } from '@alcove/contract/call'
import { GENERAL_CALLS, type RateLimit, TRANSFERS } from '@alcove/contract/rate-limits'
import type { Redis } from 'ioredis'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
// The package's index loads limiters for a dozen databases.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import { AppError } from '../../errors.ts'
import { callerOf, siteOf } from './client-address.ts'

/** How attempts on one account or link are slowed down when failures come from many networks. */
export interface SlowDown {
  readonly name: string
  /** The number of failures, from all networks together, before attempts are slowed down. */
  free: RateLimit
  /** The limit that callers from unknown networks share after that. */
  slowed: RateLimit
}

/** A /48 of IPv6 may contain several households, so it gets this many times the points of one /64. */
const SITE_FACTOR = 4

/**
 * Counts what callers do and refuses them above a limit, with the time to wait. With Redis all servers count together; while it
 * is unreachable, each server counts by itself.
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
    if (call.rateLimit) return this.consumeFrom(call.path, call.rateLimit, ip)
    const isTransfer = call.requestType === 'multipart' || call.responseType === 'bytes'
    await this.consumeFrom(isTransfer ? 'transfers' : 'general', isTransfer ? TRANSFERS : GENERAL_CALLS, ip)
  }

  /**
   * Counts one event of a caller and, for IPv6, of its whole /48. The /64 comes first: once it is refused, it uses up no points
   * of its neighbours.
   */
  async consumeFrom(name: string, limit: RateLimit, ip: string, key = ''): Promise<void> {
    await this.consume(name, limit, `${key} ${callerOf(ip)}`.trimStart())
    const site = siteOf(ip)
    if (site !== undefined) await this.consume(siteName(name), siteLimit(limit), `${key} ${site}`.trimStart())
  }

  /** Forgets what `consumeFrom` counted. */
  async forgetFrom(name: string, limit: RateLimit, ip: string, key = ''): Promise<void> {
    await this.forget(name, limit, `${key} ${callerOf(ip)}`.trimStart())
    const site = siteOf(ip)
    if (site !== undefined) await this.forget(siteName(name), siteLimit(limit), `${key} ${site}`.trimStart())
  }

  /**
   * Counts one attempt on an account or link from any network. After too many failures, unknown callers share a few attempts.
   * Known callers are not affected, so that strangers can't lock them out.
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

  /** Gives back the point of an attempt that succeeded: only failures slow down. */
  async giveBack({ name, free }: SlowDown, key: string): Promise<void> {
    if (this.#isOn) await this.#limiter(name, free).reward(key)
  }

  /** Ends the slowdown of an account or link. */
  async speedUp({ name, free, slowed }: SlowDown, key: string): Promise<void> {
    await this.forget(name, free, key)
    await this.forget(`${name}, slowed`, slowed, key)
  }

  /** Records that something has happened under a key. Never refuses. */
  async note(name: string, limit: RateLimit, key: string): Promise<void> {
    if (this.#isOn) await this.#limiter(name, limit).set(key, 1, limit.seconds)
  }

  /** Returns whether anything has been counted under a key within the limit's time. */
  async hasCounted(name: string, limit: RateLimit, key: string): Promise<boolean> {
    return this.#isOn && (await this.#limiter(name, limit).get(key)) !== null
  }

  /** Counts an event under a key, as one or several points. Throws 'too many' above the limit. */
  async consume(name: string, limit: RateLimit, key: string, points = 1): Promise<void> {
    if (!this.#isOn) return
    try {
      await this.#limiter(name, limit).consume(key, points)
    } catch (error) {
      throw toPublicError(error)
    }
  }

  /** Throws 'too many' if the limit is already used up, without counting. */
  async assertNotUsedUp(name: string, limit: RateLimit, key: string): Promise<void> {
    if (!this.#isOn) return
    const state = await this.#limiter(name, limit).get(key)
    if (state && state.consumedPoints >= limit.points) throw toPublicError(state)
  }

  async forget(name: string, limit: RateLimit, key: string): Promise<void> {
    await this.#limiter(name, limit).delete(key)
  }

  /** Asks Redis for a response. Throws if there is none. Returns false if no Redis is configured. */
  async ping(): Promise<boolean> {
    if (this.#redis === undefined) return false
    await endOfConnecting(this.#redis)
    await this.#redis.ping()
    return true
  }

  close(): void {
    this.#redis?.disconnect()
  }

  #limiter(name: string, limit: RateLimit): RateLimiterAbstract {
    let limiter = this.#limiters.get(name)
    if (!limiter) {
      limiter = this.#createLimiter(name, limit)
      this.#limiters.set(name, limiter)
    }
    return limiter
  }

  #createLimiter(name: string, limit: RateLimit): RateLimiterAbstract {
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

function siteLimit({ points, seconds }: RateLimit): RateLimit {
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

/** Waits for an attempt to connect that is under way, as at the beginning of a command. */
function endOfConnecting(redis: Redis): Promise<void> {
  if (redis.status !== 'connecting' && redis.status !== 'connect') return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      redis.off('ready', end)
      redis.off('close', end)
      resolve()
    }
    redis.on('ready', end)
    redis.on('close', end)
  })
}
