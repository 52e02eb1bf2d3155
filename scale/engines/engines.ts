import { type Ceph, startCeph } from './ceph.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type Redis, startRedis } from './redis.ts'

export interface Engines {
  postgres: Postgres
  ceph: Ceph
  redis: Redis
}

/** Starts all side by side; where one does not start, none is left. */
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
