import type { Database, Tx } from '../../../platform/db/database.ts'
import { getTreeState, noteTreeState } from '../tree-state.ts'

/** Returns whether a user may have locks that have not expired. */
export async function mayHaveLocks(db: Database, userId: string, now: number): Promise<boolean> {
  return (await getTreeState(db, userId)).locked_until > now
}

/** Updates until when a user has locks, after they have changed. The user's tree must be locked. */
export async function syncLockedUntil(tx: Tx, userId: string): Promise<void> {
  const state = await tx
    .updateTable('users')
    .set((eb) => ({
      locked_until: eb.fn.coalesce(
        eb
          .selectFrom('locks')
          .select('locks.expires_at')
          .where('locks.owner_id', '=', userId)
          .orderBy('locks.expires_at', 'desc')
          .limit(1),
        eb.lit(0),
      ),
    }))
    .where('id', '=', userId)
    .returning(['locked_until', 'followed_since'])
    .executeTakeFirstOrThrow()
  noteTreeState(tx, userId, state)
}
