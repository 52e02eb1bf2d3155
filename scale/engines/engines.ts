import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findFreePort, isPortOpen } from '@alcove/server/testing/engines/ports'
import { type Ceph, startCeph } from './ceph.ts'
import { chooseAccount, EngineProcess, makeOwnDirectory } from './engine-process.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export interface Engines {
  postgres: Postgres
  ceph: Ceph
  redis: Redis
}

/** Starts all engines in parallel. If one fails, stops the others. */
export async function startEngines(root: string, { postgresBinaries }: { postgresBinaries: string }): Promise<Engines> {
  const starting = [startPostgres(root, postgresBinaries), startCeph(root), startRedis(root)] as const
  const started = await Promise.allSettled(starting)
  const failed = started.find((result) => result.status === 'rejected')
  if (failed) {
    await Promise.all(started.map((result) => (result.status === 'fulfilled' ? result.value.stop() : undefined)))
    throw failed.reason
  }
  const [postgres, ceph, redis] = await Promise.all(starting)
  return { postgres, ceph, redis }
}

export async function stopEngines({ postgres, ceph, redis }: Engines): Promise<void> {
  await Promise.all([postgres.stop(), ceph.stop(), redis.stop()])
}

interface Redis {
  url: string
  start(): Promise<void>
  /** Kills it. Its counters are lost. */
  stop(): Promise<void>
}

async function startRedis(root: string): Promise<Redis> {
  const account = chooseAccount('redis')
  const dir = makeOwnDirectory(join(root, 'redis'), account)
  const password = randomBytes(16).toString('hex')
  const port = await findFreePort()
  const settings = { port, bind: '127.0.0.1', requirepass: password, dir, save: '', appendonly: 'no' }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const redis = new EngineProcess({ name: 'redis', command: 'redis-server', args, account, dir })
  const start = () => redis.start(() => isPortOpen(port))
  await start()
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    start,
    stop: () => redis.end('SIGKILL'),
  }
}
