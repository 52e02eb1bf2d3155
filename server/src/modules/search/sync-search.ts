import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { buildFromPending, buildFromSegments } from './build-segment.ts'
import { noteNewNames, takeChangedOwners } from './changed-owners.ts'
import { MAX_NAMES } from './postings.ts'

type Needed = Pick<Services, 'db' | 'clock'>

/** Up to so many pending names are scanned as fast as the index, so fewer are not worth a segment. */
const FEW = 1024
/** So many pending names get a segment even while more are added. */
const MANY = 4096
/** The number of small segments that are merged into one. */
const SMALL_TOGETHER = 4

const MINUTE = 60_000
/** Longer than any search reads a segment, and longer than building one takes. */
const RETIRED_FOR = MINUTE
const BUILT_WITHIN = 10 * MINUTE
const SWEPT_AT_ONCE = 2

/**
 * Indexes changed names of users who are adding many, or have stopped adding. Searches are correct without it; the
 * index makes them fast.
 */
export async function syncSearch(services: Needed, signal?: AbortSignal): Promise<void> {
  const { db } = services
  const owners = takeChangedOwners(db)
  if (owners.length === 0 && !unswept.has(db)) return
  await sweepSegments(services)
  for (const { id, isResting } of owners) {
    while ((await countPending(db, id, MANY)) >= (isResting ? FEW : MANY)) {
      if (signal?.aborted) return
      if ((await buildFromPending(services, id)) === 0) break
    }
    await mergeSegments(services, id)
  }
}

/** Databases in which segments wait to be deleted. A round without them and without new names does nothing. */
const unswept = new WeakSet<Database>()

/** Deletes some segments that are not used any more. Each has some ten thousand rows, which one statement deletes. */
async function sweepSegments({ db, clock }: Needed): Promise<void> {
  const now = clock.now()
  const unused = db
    .selectFrom('search_segments')
    .select('id')
    .where('state', '<>', 'ready')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'retired').and('changed_at', '<=', now - RETIRED_FOR),
        eb('state', '=', 'building').and('changed_at', '<=', now - BUILT_WITHIN),
      ]),
    )
    .limit(SWEPT_AT_ONCE)
  await db.deleteFrom('search_segments').where('id', 'in', unused).execute()
  const left = await db.selectFrom('search_segments').select('id').where('state', '<>', 'ready').limit(1).execute()
  if (left.length === 0) unswept.delete(db)
}

const USERS_AT_ONCE = 200

/** Finds pending names and stale segments that no running server knows about, after a start or left by another server. */
export async function findNamesToIndex({ db }: Needed): Promise<void> {
  unswept.add(db)
  for (let last: string | undefined = ''; last !== undefined; ) {
    const { rows } = await sql<{ id: string; count: number; stale: number }>`
      select id, (select count(*) from
        (select 1 from search_pending where owner_id = users.id limit ${FEW}) as waiting) as count,
        (select count(*) from search_segments
          where owner_id = users.id and state = 'ready' and is_stale = 1) as stale
      from users where id > ${last} and deleted_at is null order by id limit ${USERS_AT_ONCE}`.execute(db)
    for (const { id, count, stale } of rows) if (count >= FEW || stale > 0) noteNewNames(db, id)
    last = rows.at(USERS_AT_ONCE - 1)?.id
    await setImmediate()
  }
}

async function countPending(db: Database, ownerId: string, upTo: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('search_pending')
        .select('owner_id')
        .where('owner_id', '=', ownerId)
        // Skips accounts that have ended in the meantime.
        .where((eb) =>
          eb.exists(eb.selectFrom('users').select('id').where('id', '=', ownerId).where('deleted_at', 'is', null)),
        )
        .limit(upTo)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Merges small segments, and rebuilds a segment with many gone items or of an earlier version. It rebuilds one in a round, because the
 * sweep deletes all that were replaced together, with one statement.
 */
async function mergeSegments(services: Needed, ownerId: string): Promise<void> {
  const segments = await services.db
    .selectFrom('search_segments')
    .select(['id', 'size', 'is_stale'])
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'ready')
    .orderBy('id')
    .execute()
  const [stale, ...moreStale] = segments.filter(({ is_stale }) => is_stale === 1)
  if (stale) await rebuild(services, ownerId, [stale.id])
  if (moreStale.length > 0) noteNewNames(services.db, ownerId)
  const small = segments.filter(({ size, is_stale }) => is_stale === 0 && size <= MAX_NAMES / 2)
  if (small.length < SMALL_TOGETHER) return
  let free = MAX_NAMES
  const together = small.filter(({ size }) => {
    if (size > free) return false
    free -= size
    return true
  })
  await rebuild(
    services,
    ownerId,
    together.map(({ id }) => id),
  )
}

/** Builds one segment from others, which the next rounds delete. */
async function rebuild(services: Needed, ownerId: string, segments: readonly number[]): Promise<void> {
  unswept.add(services.db)
  await buildFromSegments(services, ownerId, segments)
}
