import { setTimeout as wait } from 'node:timers/promises'
import { type NotNull, sql } from 'kysely'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { yieldingTransaction } from '../../../platform/db/yielding-transaction.ts'
import { defineJob, type Job } from '../../../platform/jobs/define-job.ts'
import { queueEndOfCustomer } from '../../billing/index.ts'
import { deleteVersionRows, queueMountRemoval } from '../../items/index.ts'
import { queueBlobRemovalOf } from '../../storage/index.ts'

/**
 * Items deleted per transaction. This takes about 10 ms on SQLite, where nothing else can run meanwhile, and about 20
 * ms on PostgreSQL, which checks children, links and playlists of each item.
 */
export const BATCH_SIZE = 500

type Deleting = Pick<Services, 'db' | 'jobs' | 'clock'>

/** How long the job runs before it lets other jobs run, such as mails. In milliseconds. */
const TIME_SLICE = 200

/** Deletes the leftovers of a closed account. When its time slice is over, it queues itself again for the rest. */
export const deleteLeftoversJob: Job<{ userId: string }> = defineJob(
  'delete leftovers',
  z.object({ userId: z.string() }),
  async (services, { userId }) => {
    const deadline = performance.now() + TIME_SLICE
    const isDone = await deleteLeftovers(services, userId, () => performance.now() > deadline)
    if (isDone) return
    await services.db.transaction().execute((tx) => services.jobs.enqueue(tx, deleteLeftoversJob, { userId }))
  },
  { isNeverGivenUp: true },
)

/**
 * Deletes the leftovers of a closed account in short transactions, each followed by a pause of the same length, and
 * finally the user's row with any rows added meanwhile. Returns whether everything is deleted. `isOver`
 * gets the number of items that each transaction has deleted and can stop it there. Any server can continue, even two at once.
 */
export async function deleteLeftovers(
  services: Deleting,
  userId: string,
  isOver: (deletedItems: number) => boolean = () => false,
): Promise<boolean> {
  for await (const step of listSteps(services, userId)) {
    const start = performance.now()
    const isThere = await services.db.transaction().execute(async (tx) => {
      if (!(await lockLeftovers(tx, userId))) return false
      await step.run(tx)
      return true
    })
    if (!isThere) return true
    if (isOver(step.items)) return false
    await wait(performance.now() - start)
  }
  await yieldingTransaction(services.db, async (tx) => {
    if (await lockLeftovers(tx, userId)) await deleteWhole(services, tx, userId)
  })
  return true
}

/**
 * Locks the user's row of a closed account. If two servers delete concurrently, each continues with what the other has
 * left. Returns false if the account isn't closed or no longer exists.
 */
async function lockLeftovers(tx: Tx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email: userId })
    .where('id', '=', userId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes an account with few remaining rows. The user's row must be locked. */
export async function deleteWhole(services: Deleting, tx: Tx, userId: string): Promise<void> {
  await queueEndOfCustomer(services, tx, userId)
  await queueMountRemoval(services, tx, sql`members.owner_id = ${userId}`)
  const ofItems = tx.selectFrom('items').select('blob_key').where('owner_id', '=', userId)
  await queueBlobRemovalOf(services, tx, ofItems.where('blob_key', 'is not', null).$narrowType<{ blob_key: NotNull }>())
  const ofUploads = tx.selectFrom('uploads').select('blob_key').where('owner_id', '=', userId)
  await queueBlobRemovalOf(services, tx, ofUploads.where('completed_at', 'is', null))
  await queueBlobRemovalOf(services, tx, tx.selectFrom('versions').select('blob_key').where('owner_id', '=', userId))
  await tx.deleteFrom('versions').where('owner_id', '=', userId).execute()
  await tx.deleteFrom('items').where('owner_id', '=', userId).execute()
  // Foreign keys delete the rest with the user: sessions, tokens, uploads, passkeys, the search index.
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

interface Step {
  /** The number of items that it deletes. */
  readonly items: number
  run(tx: Tx): Promise<unknown>
}

/** Yields the steps of the deletion. Each must be done before the next is requested. */
async function* listSteps(services: Deleting, userId: string): AsyncGenerator<Step> {
  const { db } = services
  for (;;) {
    const uploads = await db
      .selectFrom('uploads')
      .select('id')
      .where('owner_id', '=', userId)
      .limit(BATCH_SIZE)
      .execute()
    if (uploads.length === 0) break
    yield { items: 0, run: (tx) => deleteUploads(services, tx, idsOf(uploads)) }
  }
  for (;;) {
    // Deleting an index segment deletes some thousand rows with it.
    const segments = db.selectFrom('search_segments').select('id').where('owner_id', '=', userId)
    const segment = await segments.limit(1).executeTakeFirst()
    if (!segment) break
    yield { items: 0, run: (tx) => tx.deleteFrom('search_segments').where('id', '=', segment.id).execute() }
  }
  for (;;) {
    const pending = db.selectFrom('search_pending').select('item_id as id').where('owner_id', '=', userId)
    const ids = idsOf(await pending.limit(BATCH_SIZE).execute())
    if (ids.length === 0) break
    yield {
      items: 0,
      run: (tx) =>
        tx
          .deleteFrom('search_pending')
          .where('owner_id', '=', userId)
          .where(isAmong(tx, 'item_id', ids))
          .execute(),
    }
  }
  for (;;) {
    const versions = db.selectFrom('versions').select('id').where('owner_id', '=', userId)
    const ids = idsOf(await versions.limit(BATCH_SIZE).execute())
    if (ids.length === 0) break
    // The usage of a closed account doesn't matter.
    yield { items: 0, run: (tx) => deleteVersionRows(services, tx, ids) }
  }
  for (;;) {
    const activities = db.selectFrom('activities').select('id').where('owner_id', '=', userId)
    const ids = idsOf(await activities.limit(BATCH_SIZE).execute())
    if (ids.length === 0) break
    yield {
      items: 0,
      run: (tx) =>
        tx
          .deleteFrom('activities')
          .where(isAmong(tx, 'id', ids))
          .execute(),
    }
  }
  for await (const ids of listBottomUp(db, userId)) {
    yield { items: ids.length, run: (tx) => deleteItems(services, tx, ids) }
  }
}

async function deleteUploads(services: Deleting, tx: Tx, ids: readonly string[]): Promise<void> {
  const uploads = tx
    .selectFrom('uploads')
    .select('blob_key')
    .where(isAmong(tx, 'id', ids))
  await queueBlobRemovalOf(services, tx, uploads.where('completed_at', 'is', null))
  await tx
    .deleteFrom('uploads')
    .where(isAmong(tx, 'id', ids))
    .execute()
}

async function deleteItems(services: Deleting, tx: Tx, ids: readonly string[]): Promise<void> {
  const items = tx
    .selectFrom('items')
    .select('blob_key')
    .where(isAmong(tx, 'id', ids))
  await queueBlobRemovalOf(services, tx, items.where('blob_key', 'is not', null).$narrowType<{ blob_key: NotNull }>())
  // Foreign keys delete favorites and links with the item, and remove it from playlists.
  await tx
    .deleteFrom('items')
    .where(isAmong(tx, 'id', ids))
    .execute()
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

/**
 * Files read per query. Larger than a transaction, because PostgreSQL skips deleted entries at the start of an index on
 * every read.
 */
const FILES_AHEAD = 4 * BATCH_SIZE

/**
 * Yields the ids of all items of an account except its root folders, in batches. The contents of a folder come before
 * the folder, as the foreign key requires, so each batch must be deleted before the next is requested. Folders are read
 * a few hundred at a time, so that many small ones cost no more than one large one.
 */
async function* listBottomUp(db: Database, ownerId: string): AsyncGenerator<string[]> {
  const roots = await db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('parent_id', 'is', null)
    .execute()
  const layers = [roots.map(({ id }) => id)]
  for (let layer = layers.at(-1); layer; layer = layers.at(-1)) {
    const folders = await listChildren(db, layer, 'folder', BATCH_SIZE)
    if (folders.length > 0) {
      layers.push(folders)
      continue
    }
    for (;;) {
      const files = await listChildren(db, layer, 'file', FILES_AHEAD)
      if (files.length === 0) break
      for (let at = 0; at < files.length; at += BATCH_SIZE) yield files.slice(at, at + BATCH_SIZE)
    }
    layers.pop()
    if (layers.length > 0) yield layer
  }
}

/** Returns children including trashed ones, which keep their parent. */
async function listChildren(
  db: Database,
  parentIds: readonly string[],
  kind: ItemRow['kind'],
  limit: number,
): Promise<string[]> {
  if (parentIds.length === 0) return []
  const rows = await db
    .selectFrom('items')
    .select('id')
    .where(isAmong(db, 'parent_id', parentIds))
    .where('kind', '=', kind)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
