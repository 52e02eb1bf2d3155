import type { Services } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import type { AuditActor } from '../../audit/index.ts'

/** Who changes which user. */
export interface UserChange {
  readonly actor: AuditActor
  readonly userId: string
}

/**
 * Runs a change of a user in a transaction that locks the user's row, and returns the sentence that says what was done. `prepare`
 * runs before the lock, for checks that lock other rows first. Throws 404 without such a user.
 */
export function changeUser(
  { db }: Pick<Services, 'db'>,
  userId: string,
  change: (tx: Tx, user: UserRow) => Promise<string>,
  prepare?: (tx: Tx) => Promise<void>,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await prepare?.(tx)
    const user = await tx
      .updateTable('users')
      .set((eb) => ({ email: eb.ref('email') }))
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!user) throw notFound('user')
    return change(tx, user)
  })
}

/** Throws if administrators would lock themselves out by mistake. */
export function assertNotSelf({ actor, userId }: UserChange): void {
  if (actor.actor_id !== userId) return
  throw new AppError('state_conflict', 'You can’t do this to your own account. Ask another administrator.')
}
