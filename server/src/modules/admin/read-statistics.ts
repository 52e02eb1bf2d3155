import type { Database } from '../../platform/db/database.ts'
import type { Statistics } from '../../platform/metrics/metrics.ts'
import { countDamaged, readScrub } from '../storage/index.ts'

/** What the metrics say of the whole. Sums over the users, never over their items. */
export async function readStatistics(db: Database): Promise<Statistics> {
  const users = await db
    .selectFrom('users')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | string | null>('used_bytes').as('stored'),
      eb.fn.sum<number | string | null>('allocated_bytes').as('allocated'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const uploads = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('completed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const jobs = await db
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.countAll<number>().filterWhere('attempts', '>', 0).as('retried'),
    ])
    .executeTakeFirstOrThrow()
  const { round_ended_at } = await readScrub(db)
  return {
    users: users.count,
    storedBytes: Number(users.stored ?? 0),
    allocatedBytes: Number(users.allocated ?? 0),
    openUploads: uploads.count,
    waitingJobs: jobs.count - jobs.retried,
    retriedJobs: jobs.retried,
    damagedBlobs: await countDamaged(db),
    lastScrub: (round_ended_at ?? 0) / 1000,
  }
}
