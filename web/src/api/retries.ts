import { ApiError } from './api.ts'
import type { Connection } from './connection.ts'

const TRIES = 5
/** A server without any response may be restarting, and a laptop that wakes up has no network at first. */
const TRIES_WITHOUT_ANSWER = 10
const FIRST_DELAY = 1000
const LONGEST_DELAY = 30_000

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly connection: Connection
  /** The number of failed attempts with a network before the error is thrown. */
  readonly tries?: number
  /** The delay before the second attempt, in milliseconds. It doubles with each attempt. */
  readonly firstDelay?: number
  /** Called when the delay before another attempt begins. */
  readonly onRetry?: () => void
}

/**
 * Repeats an attempt until it succeeds. After temporary errors (no network, 5xx, 429) it is retried with exponential
 * backoff and jitter. Failures without a network, or with `Retry-After`, don't count as attempts. Every other error,
 * and an abort, is thrown at once.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, connection, tries = TRIES, firstDelay = FIRST_DELAY, onRetry } = options
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      if (!isPassing(error)) throw error
      onRetry?.()
      if (!connection.isOnline()) {
        await untilOnline(connection, signal)
      } else if (error instanceof ApiError && error.retryAfter !== undefined) {
        await delay(error.retryAfter * 1000 + Math.random() * firstDelay, signal)
      } else {
        failures += 1
        if (failures >= (error instanceof ApiError ? tries : TRIES_WITHOUT_ANSWER)) throw error
        const longest = Math.min(firstDelay * 2 ** (failures - 1), LONGEST_DELAY)
        await delay(longest * (0.5 + Math.random() / 2), signal, connection)
      }
    }
  }
}

/** Returns whether the same request may succeed a little later. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) {
    // A full disk stays full for longer than we would retry.
    if (error.status === 507) return false
    return error.status >= 500 || error.status === 429 || error.status === 408
  }
  return error instanceof TypeError // `fetch` and our transport throw it when the network fails
}

function untilOnline(connection: Connection, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      if (!signal.aborted && !connection.isOnline()) return
      unsubscribe()
      signal.removeEventListener('abort', settle)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const unsubscribe = connection.subscribe(settle)
    signal.addEventListener('abort', settle)
  })
}

/** Waits, but at most until the network is back. */
function delay(milliseconds: number, signal: AbortSignal, connection?: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      unsubscribe?.()
      signal.removeEventListener('abort', stop)
      settle()
    }
    const stop = () => end(() => reject(signal.reason))
    const unsubscribe = connection?.subscribe(() => connection.isOnline() && end(resolve))
    const timer = setTimeout(() => end(resolve), milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
