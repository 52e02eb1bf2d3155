import type { NotNull } from 'kysely'
import type { Services } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import { queueBlobRemovalOf } from '../../storage/index.ts'
import { changeQuota } from '../quota.ts'

/** Which of a user's trashed items are meant: some, those trashed by a certain time, or, where nothing is said, all. */
export interface TrashedItems {
  ids?: readonly string[]
  trashedBy?: number
}

/**
 * Deletes trashed items for good, with all that is hidden under them: their room is free again, their bytes go. What
 * was trashed by itself before stays in the trash, to come back at the root. A handful of statements, however much
 * there is. The user's tree must be locked.
 */
export async function deleteTrashed(
  services: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  ownerId: string,
  which: TrashedItems,
): Promise<void> {
  let trashed = tx.selectFrom('items').select('id').where('owner_id', '=', ownerId).where('trashed_at', 'is not', null)
  if (which.ids !== undefined) trashed = trashed.where(isAmong(tx, 'id', which.ids))
  if (which.trashedBy !== undefined) trashed = trashed.where('trashed_at', '<=', which.trashedBy)
  const hidden = tx.selectFrom('items').select('id').where('trash_id', 'in', trashed).where('trashed_at', 'is', null)
  // Many files have nothing below them, and need not be asked for it again and again.
  const hasHidden = (await hidden.limit(1).executeTakeFirst()) !== undefined
  const doomedIds = hasHidden ? trashed.unionAll(hidden) : trashed
  const doomed = tx.selectFrom('items').where('id', 'in', doomedIds)

  await tx
    .updateTable('items')
    .set((eb) => ({
      parent_id: eb
        .selectFrom('items as root')
        .select('root.id')
        .whereRef('root.owner_id', '=', 'items.owner_id')
        .whereRef('root.area', '=', 'items.area')
        .where('root.parent_id', 'is', null),
    }))
    .where('owner_id', '=', ownerId)
    .where('trashed_at', 'is not', null)
    .where('id', 'not in', trashed)
    .where('parent_id', 'in', doomed.select('id'))
    .execute()
  const { bytes } = await doomed.select((eb) => eb.fn.sum('size').as('bytes')).executeTakeFirstOrThrow()
  const blobKeys = doomed.select('blob_key').where('blob_key', 'is not', null).$narrowType<{ blob_key: NotNull }>()
  await queueBlobRemovalOf(services, tx, blobKeys)
  // All of it in one statement: what goes may lie in what goes, in any order.
  const { numDeletedRows } = await tx.deleteFrom('items').where('id', 'in', doomedIds).executeTakeFirstOrThrow()
  // Null without a row; PostgreSQL gives sums as text.
  await changeQuota(tx, ownerId, { used: -Number(bytes ?? 0), items: -Number(numDeletedRows) })
}
