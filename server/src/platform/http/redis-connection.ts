import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'

/** Requests don't wait for a slow Redis: after this time they are counted without it. Milliseconds. */
const COMMAND_TIMEOUT = 250
const MAX_PAUSE = 5000

/**
 * Opens a connection to Redis, in the background and again whenever it is lost. While Redis is unreachable, commands fail at once
 * instead of being queued.
 */
export function openRedis(url: string, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Redis {
  const redis = new Redis(url, {
    connectTimeout: 2000,
    commandTimeout: COMMAND_TIMEOUT,
    // A connection without responses is closed, so that the next commands don't wait at all.
    socketTimeout: 2 * COMMAND_TIMEOUT,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, MAX_PAUSE),
  })
  let isAway: boolean | undefined
  redis.on('ready', () => {
    if (isAway !== false) log.info('rate limits are counted in Redis')
    isAway = false
  })
  redis.on('error', (error: Error) => {
    // Logged once, not for every attempt.
    if (isAway !== true) log.warn({ err: error }, 'Redis is not responding: this server counts rate limits by itself')
    isAway = true
  })
  redis.on('close', () => {
    if (isAway === false) log.warn('the connection to Redis has ended: this server counts rate limits by itself')
    isAway = true
  })
  return redis
}
