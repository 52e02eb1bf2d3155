import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../errors.ts'

/** How long a store may take, in milliseconds. */
export interface StoreTimes {
  /** Until a connection stands. */
  connect: number
  /** While nothing moves on a connection. */
  idle: number
  /** The first pause before another attempt; each further one is three times as long. */
  firstPause: number
  /** After this long nothing is tried again. */
  giveUpAfter: number
}

export const STORE_TIMES: StoreTimes = { connect: 3000, idle: 20_000, firstPause: 100, giveUpAfter: 25_000 }

const MAX_ATTEMPTS = 4

/** The store cannot be reached, or asks to be left alone for a moment; or the bytes were damaged on their way. */
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

/** Whether the same may go well in a moment. */
export function isPassing(error: unknown): boolean {
  const { name = '', code = '' } = error as StoreError
  const status = statusOf(error)
  // Not every HTTP error is a 5xx here: an error may also come in the body of a 200.
  return (status !== undefined && (status >= 500 || status === 429)) || PASSING.has(name) || PASSING.has(code)
}

/** Does it again, with growing pauses, while what fails may pass. In the end whoever asked hears that the store is away. */
export async function withRetries<T>(times: StoreTimes, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      const isOver = attempt === MAX_ATTEMPTS || performance.now() - start > times.giveUpAfter
      if (isOver) throw storeUnavailable(error)
      // Not all who were turned away at the same time come back at the same time.
      await wait(times.firstPause * 3 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }
}

function storeUnavailable(cause: unknown): AppError {
  const message = 'The storage does not answer just now. Nothing is lost; please try again in a moment.'
  return Object.assign(new AppError('unavailable', message, { retryAfterSeconds: 5 }), { cause })
}
