import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'

/** Nobody waits for Redis: what it does not answer within this time is counted without it. */
const COMMAND_TIMEOUT = 250
const MAX_PAUSE = 5000

/**
 * Opens a connection to Redis, which is made in the background and again and again. What is asked while it is away is
 * refused at once, instead of being kept until it is back.
 */
export function openRedis(url: string, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Redis {
  const redis = new Redis(url, {
    connectTimeout: 2000,
    commandTimeout: COMMAND_TIMEOUT,
    // A connection on which answers fail to come is given up, so that the next calls need not wait at all.
    socketTimeout: 2 * COMMAND_TIMEOUT,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, MAX_PAUSE),
  })
  let isAway: boolean | undefined
  redis.on('ready', () => {
    if (isAway !== false) log.info('Redis counts for the rate limits')
    isAway = false
  })
  redis.on('error', (error: Error) => {
    // Told once, not with every attempt.
    if (isAway !== true) log.warn({ err: error }, 'Redis does not answer: this server counts for itself')
    isAway = true
  })
  redis.on('close', () => {
    if (isAway === false) log.warn('the connection to Redis has ended: this server counts for itself')
    isAway = true
  })
  return redis
}
