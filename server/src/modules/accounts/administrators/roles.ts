import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isPostgres } from '../../../platform/db/portable-sql.ts'
import type { UserRole } from '../../../platform/db/tables.ts'

/**
 * Gives a user a role. Returns the role before, or undefined if there is no such user. Throws if the last administrator would lose the
 * role.
 */
export async function setRole(tx: Tx, userId: string, role: UserRole): Promise<UserRole | undefined> {
  if (role === 'user') await assertNotLastAdministrator(tx, userId)
  const before = await tx
    .selectFrom('users')
    .select('site_role')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (before && before.site_role !== role) {
    await tx.updateTable('users').set({ site_role: role }).where('id', '=', userId).execute()
  }
  return before?.site_role
}

/**
 * Throws if a user is the only administrator who can sign in. Locks the rows of all administrators, so that of two who go at once, the
 * second is refused.
 */
export async function assertNotLastAdministrator(tx: Tx, userId: string): Promise<void> {
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('site_role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where('deletion_due_at', 'is', null)
    .orderBy('id')
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  if (admins.length !== 1 || admins[0]?.id !== userId) return
  throw new AppError('state_conflict', 'This is the only administrator. Make somebody else an administrator first.')
}

/** Returns whether the server has an administrator. */
export async function hasAdministrator(tx: Tx): Promise<boolean> {
  const found = await tx
    .selectFrom('users')
    .select('id')
    .where('site_role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
