import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import { signSessionToken } from '../../platform/secrets/session-token.ts'

/**
 * Starts a session for a user whose password was found right; answers its token. Undefined when the password has been
 * changed since: a change ends every session, and one of the old password must not slip in behind it.
 */
export async function startSession(ctx: Context, user: UserRow): Promise<string | undefined> {
  const sessionId = randomUUID()
  const now = ctx.clock.now()
  const isStarted = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPassword(tx, user))) return false
    await tx
      .insertInto('sessions')
      .values({ id: sessionId, user_id: user.id, created_at: now, expires_at: now + ctx.config.sessionTtl })
      .execute()
    return true
  })
  return isStarted ? signSessionToken(ctx.secrets.sessionKey, { userId: user.id, sessionId }) : undefined
}

/** Writing the hash anew holds off whoever is about to change it, until the transaction ends. */
async function lockPassword(tx: Tx, { id, password_hash }: UserRow): Promise<boolean> {
  const locked = await tx
    .updateTable('users')
    .set({ password_hash })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .executeTakeFirst()
  return locked.numUpdatedRows > 0n
}

/** Signs a user out everywhere. */
export async function endSessions(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
