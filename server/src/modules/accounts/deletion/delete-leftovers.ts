import { setTimeout as wait } from 'node:timers/promises'
import type { NotNull } from 'kysely'
import type { Services } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import { yieldingTransaction } from '../../../platform/db/yielding-transaction.ts'
import { queueBlobRemovalOf } from '../../storage/index.ts'
import { listBottomUp } from './bottom-up-items.ts'
import { deleteWhole } from './delete-user.ts'
import { DELETE_LEFTOVERS } from './end-account.ts'
import { AT_ONCE } from './is-large-account.ts'

type Deleting = Pick<Services, 'db' | 'jobs' | 'clock'>

/** So long one turn of the job lasts, in milliseconds: mails and other jobs wait in the same queue. */
const TURN = 200

/** What is not done when its turn is over goes to the end of the queue. */
export function handleLeftovers(services: Services): void {
  services.jobs.handle(
    DELETE_LEFTOVERS,
    async (payload) => {
      const { userId } = payload as { userId: string }
      const deadline = performance.now() + TURN
      const isDone = await deleteLeftovers(services, userId, () => performance.now() > deadline)
      if (isDone) return
      await services.db.transaction().execute((tx) => services.jobs.enqueue(tx, DELETE_LEFTOVERS, { userId }))
    },
    { isNeverGivenUp: true },
  )
}

/**
 * Deletes what remains of an account that has ended, in slices that are a short transaction each, with as much rest as
 * work in between; in the end the user's row with whatever has come in late. Answers whether that is done: it may be
 * stopped after any slice, and go on from there by anyone, also by two at once.
 */
export async function deleteLeftovers(
  services: Deleting,
  userId: string,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  for await (const slice of listSlices(services, userId)) {
    const start = performance.now()
    const isThere = await services.db.transaction().execute(async (tx) => {
      if (!(await lockLeftovers(tx, userId))) return false
      await slice(tx)
      return true
    })
    if (!isThere) return true
    if (isOver()) return false
    await wait(performance.now() - start)
  }
  await yieldingTransaction(services.db, async (tx) => {
    if (await lockLeftovers(tx, userId)) await deleteWhole(services, tx, userId)
  })
  return true
}

/** One slice at a time: of two who are at it, the other finds that less is left. Never the row of an account that is one. */
async function lockLeftovers(tx: Tx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email: userId })
    .where('id', '=', userId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type Slice = (tx: Tx) => Promise<unknown>

/** Each is to be done before the next is asked for. */
async function* listSlices(services: Deleting, userId: string): AsyncGenerator<Slice> {
  const { db } = services
  for (;;) {
    const uploads = await db.selectFrom('uploads').select('id').where('owner_id', '=', userId).limit(AT_ONCE).execute()
    if (uploads.length === 0) break
    yield (tx) => deleteUploads(services, tx, idsOf(uploads))
  }
  for (;;) {
    // A segment takes some thousand rows of the index with it.
    const segments = db.selectFrom('search_segments').select('id').where('owner_id', '=', userId)
    const segment = await segments.limit(1).executeTakeFirst()
    if (!segment) break
    yield (tx) => tx.deleteFrom('search_segments').where('id', '=', segment.id).execute()
  }
  for (;;) {
    const pending = db.selectFrom('search_pending').select('item_id as id').where('owner_id', '=', userId)
    const ids = idsOf(await pending.limit(AT_ONCE).execute())
    if (ids.length === 0) break
    yield (tx) =>
      tx
        .deleteFrom('search_pending')
        .where('owner_id', '=', userId)
        .where(isAmong(tx, 'item_id', ids))
        .execute()
  }
  for await (const ids of listBottomUp(db, userId)) yield (tx) => deleteItems(services, tx, ids)
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
  // Favorites and links are of the item, playlists lose their tracks with it.
  await tx
    .deleteFrom('items')
    .where(isAmong(tx, 'id', ids))
    .execute()
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}
