import { randomUUID } from 'node:crypto'
import { type ExpressionBuilder, type OnConflictBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { endExpiredLeases, findLeases, withLease } from '../../platform/db/leases.ts'
import { isPostgres } from '../../platform/db/portable-sql.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Removes blobs that nothing refers to any more. */
export const removeBlobsJob = defineJob('remove blobs', z.object({}), removeQueuedBlobs)
const BATCH = 500

/**
 * Queues blobs for removal, in the transaction that removes a reference to them. An entry that is there already is written again,
 * which locks it, so that `endRemovals` keeps it. Entries are written in the order of their keys, so that two statements never wait
 * for each other.
 */
export async function queueBlobRemoval(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  blobKeys: readonly string[],
  now: number,
): Promise<void> {
  if (blobKeys.length === 0) return
  await tx
    .insertInto('blob_removals')
    .values([...new Set(blobKeys)].sort().map((blob_key) => ({ blob_key, queued_at: now })))
    .onConflict(writeAgain)
    .execute()
  await services.jobs.enqueue(tx, removeBlobsJob, {})
}

/** Queues the blobs that a query selects: one statement, however many they are. */
export async function queueBlobRemovalOf<From extends keyof Tables>(
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  blobKeys: SelectQueryBuilder<Tables, From, { blob_key: string }>,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('blob_removals')
    .columns(['blob_key', 'queued_at'])
    .expression(
      blobKeys
        // With `distinct`, PostgreSQL needs the type.
        .select(sql<number>`cast(${clock.now()} as bigint)`.as('queued_at'))
        // Copies share a blob, and PostgreSQL writes no entry twice. SQLite does, and has no locks to wait for.
        .$if(isPostgres(tx), (keys) => keys.distinct().orderBy(sql.ref('blob_key'))),
    )
    .onConflict(writeAgain)
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await jobs.enqueue(tx, removeBlobsJob, {})
}

const writeAgain = (conflict: OnConflictBuilder<Tables, 'blob_removals'>) =>
  conflict.column('blob_key').doUpdateSet((eb) => ({ queued_at: eb.ref('excluded.queued_at') }))

/**
 * Removes the queued blobs that nothing refers to: the row first, then the bytes, then the queue entry. Safe at any time.
 * Does nothing while removals are paused.
 */
export async function removeQueuedBlobs({
  db,
  blobs,
  segments,
  clock,
}: Pick<Services, 'db' | 'blobs' | 'segments' | 'clock'>): Promise<void> {
  await endExpiredLeases({ db, clock }, PAUSE)
  const isUnpaused = sql<boolean>`not exists ${findLeases(db, PAUSE)}`
  // What is queued meanwhile has a job of its own.
  for (let last = ''; ; ) {
    const queued = await db
      .selectFrom('blob_removals')
      .select('blob_key')
      .where('blob_key', '>', last)
      .where(isUnpaused)
      .orderBy('blob_key')
      .limit(BATCH)
      .execute()
    if (queued.length === 0) return
    const keys = queued.map((row) => row.blob_key)
    last = keys.at(-1) as string
    // Their rows are deleted with the blob's.
    const thumbnails = await db
      .selectFrom('thumbnails')
      .select(['blob_key', 'thumbnail_key'])
      .where('blob_key', 'in', keys)
      .where('thumbnail_key', 'is not', null)
      .execute()
    // The foreign keys of items and versions decide a race with a copy that is being made at the same time.
    // One statement, so that whatever it deletes lost its last reference before any pause began.
    await db.deleteFrom('blobs').where('key', 'in', keys).where(isUnreferenced).where(isUnpaused).execute()
    const kept = await db.selectFrom('blobs').select('key').where('key', 'in', keys).execute()
    const keptKeys = new Set(kept.map((row) => row.key))
    const gone = [...keys.map((key) => [key, key] as const), ...thumbnails.map(keysOfThumbnail)]
    await Promise.all(gone.filter(([key]) => !keptKeys.has(key)).map(([, stored]) => blobs.remove(stored)))
    await segments.store.remove(keys.filter((key) => !keptKeys.has(key)))
    await db.transaction().execute((tx) => endRemovals(tx, keys))
  }
}

function isUnreferenced({ and, not, exists, selectFrom }: ExpressionBuilder<Tables, 'blobs'>) {
  return and([
    not(exists(selectFrom('items').select('items.id').whereRef('items.blob_key', '=', 'blobs.key'))),
    not(exists(selectFrom('versions').select('versions.id').whereRef('versions.blob_key', '=', 'blobs.key'))),
  ])
}

/**
 * Deletes the entries of blobs that were removed or are in use. Another transaction may remove the last reference to one in use at
 * this moment. If it has written the entry already, the entry is locked and stays. Otherwise it waits, and then adds the entry again.
 */
async function endRemovals(tx: Tx, keys: readonly string[]): Promise<void> {
  const free = await tx
    .selectFrom('blob_removals')
    .select('blob_key')
    .where('blob_key', 'in', keys)
    // On SQLite, transactions that write run one after the other.
    .$if(isPostgres(tx), (entries) => entries.forUpdate().skipLocked())
    .execute()
  if (free.length === 0) return
  // A statement of its own sees what was committed before the entries were locked.
  const unreferenced = tx.selectFrom('blobs').select('key').where(isUnreferenced)
  await tx
    .deleteFrom('blob_removals')
    .where(
      'blob_key',
      'in',
      free.map((entry) => entry.blob_key),
    )
    .where(({ not, exists }) => not(exists(unreferenced.where('key', '=', sql.ref<string>('blob_removals.blob_key')))))
    .execute()
}

/** Returns the key of the blob that the thumbnail shows, and the key under which the thumbnail is stored. */
function keysOfThumbnail(thumbnail: { blob_key: string; thumbnail_key: string | null }): readonly [string, string] {
  return [thumbnail.blob_key, thumbnail.thumbnail_key as string]
}

/** Each pause is a lease whose name starts like this, since several may be in force at once. */
const PAUSE = 'removals '

/** Selects the pauses in force. */
export function findRemovalPause(db: Database, now: number) {
  return findLeases(db, PAUSE).where('expires_at', '>', now)
}

/**
 * Does work while no blob is removed that was referenced when it began. What users delete meanwhile disappears for them
 * at once; its bytes are removed after the pause. If the process dies, the pause expires and the hourly removal resumes.
 * `isHeld` returns whether the pause has lasted so far: a process that was stopped for minutes may have lost it.
 */
export async function pauseRemovals<T>(
  { db, clock, jobs }: Pick<Services, 'db' | 'clock' | 'jobs'>,
  work: (isHeld: () => boolean) => Promise<T>,
): Promise<T> {
  try {
    const result = await withLease({ db, clock }, `${PAUSE}${randomUUID()}`, (lease) => work(() => !lease.lost.aborted))
    // The lease is always free: nobody else uses this name.
    return result as T
  } finally {
    await db.transaction().execute((tx) => jobs.enqueue(tx, removeBlobsJob, {}))
  }
}
