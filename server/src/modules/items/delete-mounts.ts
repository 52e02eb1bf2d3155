import type { Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { noteDeparture } from './folder-changes.ts'
import { type LeavingItem, type LockUser, releaseLeaving } from './locks/assert-unlocked.ts'

/**
 * Takes mounts out of their owner's tree. The folders stay shared. Throws 'locked' if a lock prevents it. The user's tree must be
 * locked.
 */
export async function deleteMounts(tx: Tx, user: LockUser, mounts: readonly LeavingItem[], now: number): Promise<void> {
  await releaseLeaving(tx, user, now, mounts)
  const ids = mounts.map(({ id }) => id)
  await noteDeparture(tx, user, ids)
  await tx
    .deleteFrom('items')
    .where(isAmong(tx, 'id', ids))
    .where('mount_of', 'is not', null)
    .execute()
}
