import type { Database, Tx } from '../../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../../platform/db/prepared-query.ts'

/**
 * When the last lock of the user whose tree a transaction has locked expires. It was read by the statement that locked the tree, so
 * changes of users without locks cost no further statement. A subquery on `locks` there would be wrong: on PostgreSQL it would
 * not see the lock of the transaction that the statement has waited for.
 */
const known = new WeakMap<Database, { userId: string; until: number }>()

/** Remembers until when a user has locks. The time never goes back, because a savepoint may undo the release of a lock. */
export function noteLockedUntil(tx: Tx, userId: string, until: number): void {
  const before = known.get(tx)
  known.set(tx, { userId, until: before?.userId === userId ? Math.max(before.until, until) : until })
}

/** Returns whether a user may have locks that have not expired. */
export async function mayHaveLocks(db: Database, userId: string, now: number): Promise<boolean> {
  const noted = known.get(db)
  if (noted?.userId === userId) return noted.until > now
  const [user] = (await readLockedUntil(db, { userId })).rows
  return user !== undefined && user.locked_until > now
}

const readLockedUntil = prepareQuery((db, value: Value<{ userId: string }>) =>
  db.selectFrom('users').select('locked_until').where('id', '=', value('userId')),
)

/** Updates until when a user has locks, after they have changed. The user's tree must be locked. */
export async function syncLockedUntil(tx: Tx, userId: string): Promise<void> {
  const { locked_until } = await tx
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
    .returning('locked_until')
    .executeTakeFirstOrThrow()
  noteLockedUntil(tx, userId, locked_until)
}
