import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findFreePort } from '../../testing/engines/ports.ts'
import { type RedisEngine, redisServer, startRedis } from '../../testing/engines/redis-engine.ts'
import { RateLimits } from './rate-limits.ts'
import { openRedis } from './redis-connection.ts'

const log = pino({ level: 'silent' })
const TWICE = { points: 2, seconds: 60 }

function open(url: string) {
  const redis = openRedis(url, log)
  return { redis, limits: new RateLimits(true, redis) }
}

/** Counts how many of several tries in a row are admitted. */
async function countAdmitted(limits: RateLimits, key: string, tries: number): Promise<number> {
  let admitted = 0
  for (let turn = 0; turn < tries; turn++) {
    const isAdmitted = await limits.consume('tries', TWICE, key).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'too_many_requests' })
        return false
      },
    )
    if (isAdmitted) admitted++
  }
  return admitted
}

it('counts attempts in this process if Redis is never reachable', async () => {
  const { limits } = open(`redis://127.0.0.1:${await findFreePort()}`)
  expect(await countAdmitted(limits, 'a', 3)).toBe(2)
  await limits.forget('tries', TWICE, 'a')
  await limits.assertNotUsedUp('tries', TWICE, 'a')
  limits.close()
})

describe.skipIf(!redisServer)(`rate limits in Redis${redisServer ? '' : ' (redis-server is not on the PATH)'}`, () => {
  let engine: RedisEngine
  let servers: ReturnType<typeof open>[]
  beforeAll(async () => {
    engine = await startRedis()
    servers = [open(engine.url), open(engine.url)]
    await untilReady()
  })
  afterAll(async () => {
    for (const { limits } of servers) limits.close()
    await engine.stop()
  })

  const one = () => servers[0]?.limits as RateLimits
  const other = () => servers[1]?.limits as RateLimits
  const untilReady = () =>
    vi.waitFor(() => expect(servers.map(({ redis }) => redis.status)).toEqual(['ready', 'ready']), { timeout: 8000 })

  it('counts attempts on all servers together and returns the time to wait', async () => {
    await one().consume('tries', TWICE, 'b')
    await other().consume('tries', TWICE, 'b')
    const refused = one().consume('tries', TWICE, 'b')
    await expect(refused).rejects.toMatchObject({
      code: 'too_many_requests',
      message: 'Too many attempts. Please try again in a minute.',
      details: { retryAfterSeconds: 60 },
    })
    await expect(other().assertNotUsedUp('tries', TWICE, 'b')).rejects.toMatchObject({ code: 'too_many_requests' })
    await one().forget('tries', TWICE, 'b')
    await other().assertNotUsedUp('tries', TWICE, 'b')
    expect(await countAdmitted(other(), 'b', 3)).toBe(2)
  })

  it('admits exactly as many concurrent attempts as allowed', async () => {
    const tries = Array.from({ length: 50 }, (_, turn) => (turn % 2 ? one() : other()).consume('tries', TWICE, 'c'))
    const admitted = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')
    expect(admitted).toHaveLength(2)
  })

  it('slows down guesses from many networks on all servers together', async () => {
    const guesses = { name: 'guesses', free: TWICE, slowed: { points: 1, seconds: 30 } }
    const known = async () => true
    const stranger = async () => false
    for (const limits of [one(), other(), one()]) await limits.slowDown(guesses, 'h', stranger)
    await expect(other().slowDown(guesses, 'h', stranger)).rejects.toMatchObject({ code: 'too_many_requests' })
    await other().slowDown(guesses, 'h', known)
    await other().speedUp(guesses, 'h')
    for (let time = 0; time < 5; time++) {
      await one().slowDown(guesses, 'h', stranger)
      await other().giveBack(guesses, 'h')
    }
    await one().note('places', TWICE, 'home')
    expect(await other().hasCounted('places', TWICE, 'home')).toBe(true)
    expect(await other().hasCounted('places', TWICE, 'elsewhere')).toBe(false)
  })

  it('counts on each server while Redis hangs, and on all together afterwards', async () => {
    expect(await countAdmitted(one(), 'd', 3)).toBe(2)
    engine.freeze()
    // These attempts are answered while Redis hangs.
    expect(await countAdmitted(one(), 'e', 3)).toBe(2)
    expect(await countAdmitted(other(), 'e', 3)).toBe(2)
    engine.resume()
    await untilReady()
    expect(await countAdmitted(other(), 'd', 1)).toBe(0)
  })

  it('counts on each server while Redis is down, and on all together once it is back', async () => {
    await engine.stop()
    await wait(20)
    expect(await countAdmitted(one(), 'f', 3)).toBe(2)
    expect(await countAdmitted(other(), 'f', 3)).toBe(2)
    engine = await startRedis(Number(new URL(engine.url).port))
    await untilReady()
    expect(await countAdmitted(one(), 'g', 2)).toBe(2)
    expect(await countAdmitted(other(), 'g', 1)).toBe(0)
  })
})
