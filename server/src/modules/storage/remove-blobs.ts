import type { SelectQueryBuilder } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { findRemovalPause } from './pause-removals.ts'

/** The kind of job that removes blobs whose last reader has gone. */
export const REMOVE_BLOBS = 'remove blobs'
const BATCH = 500

/** Notes, in the transaction that lets go of blobs, that they are to be removed once it stands. */
export async function queueBlobRemoval(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  blobKeys: readonly string[],
  now: number,
): Promise<void> {
  if (blobKeys.length === 0) return
  await tx
    .insertInto('blob_removals')
    .values(blobKeys.map((blob_key) => ({ blob_key, queued_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await services.jobs.enqueue(tx, REMOVE_BLOBS, {})
}

/** The same for the blobs that a query names: one statement, however many they are. */
export async function queueBlobRemovalOf<From extends keyof Tables>(
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  blobKeys: SelectQueryBuilder<Tables, From, { blob_key: string }>,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('blob_removals')
    .columns(['blob_key', 'queued_at'])
    .expression(blobKeys.select((eb) => eb.val(clock.now()).as('queued_at')))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await jobs.enqueue(tx, REMOVE_BLOBS, {})
}

/**
 * Removes the queued blobs that nothing refers to: the row first, then the bytes, then the note. Safe at any time. While
 * a backup holds removals it does nothing.
 */
export async function removeQueuedBlobs({
  db,
  blobs,
  segments,
  clock,
}: Pick<Services, 'db' | 'blobs' | 'segments' | 'clock'>): Promise<void> {
  for (;;) {
    const queued = await db
      .selectFrom('blob_removals')
      .select('blob_key')
      // In the same statement: what is removed then was let go of before the hold began.
      .where((eb) => eb.not(eb.exists(findRemovalPause(db, clock.now()))))
      .limit(BATCH)
      .execute()
    if (queued.length === 0) return
    const keys = queued.map((row) => row.blob_key)
    // Their rows go with the blob's.
    const thumbnails = await db
      .selectFrom('thumbnails')
      .select(['blob_key', 'thumbnail_key'])
      .where('blob_key', 'in', keys)
      .where('thumbnail_key', 'is not', null)
      .execute()
    // The foreign key of items decides a race with a copy that is just being made.
    await db
      .deleteFrom('blobs')
      .where('key', 'in', keys)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('items').select('items.id').whereRef('items.blob_key', '=', 'blobs.key'))),
      )
      .execute()
    const kept = await db.selectFrom('blobs').select('key').where('key', 'in', keys).execute()
    const keptKeys = new Set(kept.map((row) => row.key))
    const gone = [...keys.map((key) => [key, key] as const), ...thumbnails.map(keysOf)]
    await Promise.all(gone.filter(([key]) => !keptKeys.has(key)).map(([, stored]) => blobs.remove(stored)))
    await Promise.all(keys.filter((key) => !keptKeys.has(key)).map((key) => segments.store.remove(key)))
    await db.deleteFrom('blob_removals').where('blob_key', 'in', keys).execute()
  }
}

/** Of a thumbnail: the key of the blob that it goes with, and its own. */
function keysOf(thumbnail: { blob_key: string; thumbnail_key: string | null }): readonly [string, string] {
  return [thumbnail.blob_key, thumbnail.thumbnail_key as string]
}
