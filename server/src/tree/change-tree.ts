import { notFound } from '../errors.ts'
import type { Database, Tx } from '../platform/db/database.ts'

/**
 * Runs a change of a user's trees as one transaction, one at a time for each user: raising the version takes the lock
 * on the user's row first. So two moves cannot make a circle, nothing lands in a folder that is just being trashed, and
 * locks are always taken in the same order. Database statements only: while it runs, SQLite's one connection is taken.
 */
export function changeTree<T>(
  { db, user }: { db: Database; user: { id: string } },
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockTree(tx, user.id)
    return change(tx)
  })
}

/** Takes the lock on a user's trees until the transaction ends. */
export async function lockTree(tx: Tx, userId: string): Promise<void> {
  const locked = await tx
    .updateTable('users')
    .set((eb) => ({ tree_version: eb('tree_version', '+', 1) }))
    .where('id', '=', userId)
    .executeTakeFirst()
  // The account was deleted meanwhile.
  if (locked.numUpdatedRows === 0n) throw notFound('item')
}
