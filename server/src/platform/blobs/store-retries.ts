import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../errors.ts'

/** Timeouts for a store, in milliseconds. */
export interface StoreTimes {
  /** For connecting. */
  connect: number
  /** For a connection without traffic. */
  idle: number
  /** The first pause before a retry; each further one is three times as long. */
  firstPause: number
  /** No retry begins after this time. */
  giveUpAfter: number
}

export const STORE_TIMES: StoreTimes = { connect: 3000, idle: 20_000, firstPause: 100, giveUpAfter: 25_000 }

const MAX_ATTEMPTS = 4

/** Errors that may pass: the store is unreachable or overloaded, or bytes were damaged in transit. */
const PASSING = new Set([
  'TimeoutError',
  'RequestTimeout',
  'SlowDown',
  'BadDigest',
  'IncompleteBody',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
])

interface StoreError {
  name?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
}

export function statusOf(error: unknown): number | undefined {
  return (error as StoreError).$metadata?.httpStatusCode
}

/** Returns whether a retry may succeed. */
export function isPassing(error: unknown): boolean {
  const { name = '', code = '' } = error as StoreError
  const status = statusOf(error)
  // Not every such error has a status of 5xx: an error may come in the body of a 200.
  return (status !== undefined && (status >= 500 || status === 429)) || PASSING.has(name) || PASSING.has(code)
}

/** Retries failures that may pass, with growing pauses. Finally throws that the store is unavailable. */
export async function withRetries<T>(times: StoreTimes, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      const isOver = attempt === MAX_ATTEMPTS || performance.now() - start > times.giveUpAfter
      if (isOver) throw storeUnavailable(error)
      // Random pauses, so that requests that failed together don't return together.
      await wait(times.firstPause * 3 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }
}

function storeUnavailable(cause: unknown): AppError {
  const message = 'The file storage is not responding. Nothing is lost. Please try again in a moment.'
  return Object.assign(new AppError('unavailable', message, { retryAfterSeconds: 5 }), { cause })
}
