import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { calls } from '@alcove/contract/calls'
import { z } from 'zod'
import type { Services, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { endpoint } from '../../platform/http/api.ts'
import { defineJob, type Job } from '../../platform/jobs/define-job.ts'
import { changeQuota, changeTree, deleteVersionRows } from '../items/index.ts'
import { KEEP_ALL } from './retention.ts'
import { STEP } from './thin-versions.ts'

/** How often an upload may find that others have taken the space that was made for it. */
const MAX_ATTEMPTS = 3

/**
 * Does work that takes space of the user's quota. If too little is free, deletes the oldest versions that may give way and tries
 * again: unnamed ones older than 24 hours, and only if that is enough. `work` receives the number of bytes they took so far.
 */
export async function reclaimingSpace<T>(ctx: UserContext, work: (thinnedBytes: number) => Promise<T>): Promise<T> {
  let thinnedBytes = 0
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(thinnedBytes)
    } catch (error) {
      const missing = missingBytesOf(error)
      if (missing === undefined || attempt === MAX_ATTEMPTS || isSentByOthers(ctx)) throw error
      const last = await findNewestToFree(ctx, missing)
      if (last === undefined) throw error
      // Finds nothing to delete if another upload has just done it.
      thinnedBytes += await deleteInSteps(ctx, ctx.user.id, last)
    }
  }
}

/** Like `reclaimingSpace`, for a check that takes no space yet: passes if versions could make space, without deleting them. */
export async function countingReclaimable(ctx: UserContext, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    const missing = missingBytesOf(error)
    if (missing === undefined || isSentByOthers(ctx)) throw error
    if ((await findNewestToFree(ctx, missing)) === undefined) throw error
  }
}

/** What visitors and members send must not cost the owner anything that is kept. */
function isSentByOthers({ user }: UserContext): boolean {
  return user.submission !== undefined || user.member !== undefined
}

function missingBytesOf(error: unknown): number | undefined {
  return error instanceof AppError && error.code === 'quota_exceeded' ? error.details.missingBytes : undefined
}

/** The newest of the versions that must go: a position in the order of all versions of a user, by age. */
interface Position {
  created_at: number
  id: string
}

/** Versions read per query. */
const PAGE = 1_000

/** Returns up to which version all older ones must go to free that many bytes, or undefined if they are too few. */
async function findNewestToFree({ db, clock, user }: UserContext, missingBytes: number): Promise<Position | undefined> {
  const before = clock.now() - KEEP_ALL
  let missing = missingBytes
  for (let after: Position = { created_at: 0, id: '' }; ; ) {
    const { created_at, id } = after
    const page = await listUnnamed(db, user.id)
      .select(['created_at', 'id', 'size'])
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(created_at, id)))
      .where('created_at', '<', before)
      .limit(PAGE)
      .execute()
    for (const version of page) {
      missing -= version.size
      if (missing <= 0) return version
    }
    if (page.length < PAGE) return undefined
    after = page.at(-1) as Position
    // SQLite answers at once, so others would have to wait for all pages.
    await nextTurn()
  }
}

/** Selects the unnamed versions of a user, oldest first. */
function listUnnamed(db: Database, ownerId: string) {
  return db
    .selectFrom('versions')
    .where('versions.owner_id', '=', ownerId)
    .where('versions.name', 'is', null)
    .orderBy('versions.created_at')
    .orderBy('versions.id')
}

/** Deletes the unnamed versions up to a position in short transactions. Stops when `isOver` returns true. */
async function deleteInSteps(
  services: Pick<Services, 'db' | 'events' | 'jobs' | 'clock'>,
  ownerId: string,
  { created_at, id }: Position,
  isOver: () => boolean = () => false,
): Promise<number> {
  let freed = 0
  for (;;) {
    const start = performance.now()
    const { bytes, count } = await changeTree({ ...services, user: { id: ownerId } }, async (tx) => {
      const rows = await listUnnamed(tx, ownerId)
        .select('id')
        .where((eb) => eb(eb.refTuple('created_at', 'id'), '<=', eb.tuple(created_at, id)))
        .limit(STEP)
        .execute()
      const ids = rows.map((row) => row.id)
      const deleted = await deleteVersionRows(services, tx, ids)
      await changeQuota(tx, ownerId, { used: -deleted, versions: -deleted })
      return { bytes: deleted, count: ids.length }
    })
    freed += bytes
    if (count < STEP || isOver()) return freed
    await wait(performance.now() - start)
  }
}

/** How long the call deletes versions before it leaves the rest to the job. In milliseconds. */
const TIME_SLICE = 5_000

export const deleteVersions = endpoint(calls.deleteVersions, async (ctx) => {
  const last = await findNewestUnnamed(ctx.db, ctx.user.id)
  const deadline = performance.now() + TIME_SLICE
  const freedBytes = last ? await deleteInSteps(ctx, ctx.user.id, last, () => performance.now() > deadline) : 0
  if (last && (await hasUnnamed(ctx.db, ctx.user.id, last))) {
    const rest = { userId: ctx.user.id, last }
    await ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, deleteVersionsJob, rest))
  }
  return { message: 'The earlier versions were deleted.', freedBytes }
})

/** Deletes what `deleteVersions` has left. */
export const deleteVersionsJob: Job<{ userId: string; last: Position }> = defineJob(
  'delete versions',
  z.object({ userId: z.string(), last: z.object({ created_at: z.number(), id: z.string() }) }),
  async (services, rest) => {
    const { userId, last } = rest
    if (!(await hasUnnamed(services.db, userId, last))) return
    const deadline = performance.now() + JOB_SLICE
    await deleteInSteps(services, userId, last, () => performance.now() > deadline)
    // Lets other jobs run, such as mails, before it continues.
    await services.db.transaction().execute((tx) => services.jobs.enqueue(tx, deleteVersionsJob, rest))
  },
)

const JOB_SLICE = 200

function findNewestUnnamed(db: Database, ownerId: string): Promise<Position | undefined> {
  return db
    .selectFrom('versions')
    .select(['created_at', 'id'])
    .where('owner_id', '=', ownerId)
    .where('name', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function hasUnnamed(db: Database, ownerId: string, { created_at, id }: Position): Promise<boolean> {
  const some = listUnnamed(db, ownerId)
    // The versions of a closed account are deleted with it.
    .innerJoin('users', (join) => join.onRef('users.id', '=', 'versions.owner_id').on('users.deleted_at', 'is', null))
    .select('versions.id')
    .where((eb) => eb(eb.refTuple('versions.created_at', 'versions.id'), '<=', eb.tuple(created_at, id)))
    .limit(1)
  return (await some.executeTakeFirst()) !== undefined
}
