import { randomUUID } from 'node:crypto'
import type { SignedIn } from '@alcove/contract/accounts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { endOfSession } from '../../../platform/http/authenticate.ts'
import { describeDevice } from '../../../platform/http/describe-device.ts'
import { signSessionToken } from '../../../platform/secrets/session-token.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { sendQueuedMails } from '../mails.ts'
import { noteDevice } from '../sign-in/known-devices.ts'
import { endChallenges } from '../two-factor/two-factor.ts'

/**
 * Signs a user in: opens a session in one transaction with the step that gives the right to it, which throws where it
 * does not. The step locks the user's row first (`lockPassword`), so that no session slips in behind a new password.
 */
export async function signIn(ctx: Context, user: UserRow, claim: (tx: Tx) => Promise<void>): Promise<SignedIn> {
  const opened = await ctx.db.transaction().execute(async (tx) => {
    await claim(tx)
    return openSession(ctx, tx, user)
  })
  return presentSignedIn(ctx, user, opened)
}

export interface OpenedSession {
  sessionId: string
  /** A mail about it has been queued. */
  isNewDevice: boolean
}

/** Adds a session; the user's row must be locked. */
export async function openSession(ctx: Context, tx: Tx, user: UserRow): Promise<OpenedSession> {
  const sessionId = randomUUID()
  const now = ctx.clock.now()
  const device = describeDevice(ctx.userAgent)
  await tx
    .insertInto('sessions')
    .values({
      id: sessionId,
      user_id: user.id,
      created_at: now,
      expires_at: endOfSession(ctx.config, now, now),
      device,
      ip: ctx.ip,
      last_used_at: now,
    })
    .execute()
  return { sessionId, isNewDevice: await noteDevice(ctx, tx, user.id, device) }
}

export async function presentSignedIn(
  ctx: Context,
  user: UserRow,
  { sessionId, isNewDevice }: OpenedSession,
): Promise<SignedIn> {
  logSecurity(ctx, 'signed_in', { account: user.email })
  if (isNewDevice) await sendQueuedMails(ctx)
  const token = await signSessionToken(ctx.secrets.sessionKey, { userId: user.id, sessionId })
  return { token, planName: user.plan_name, planId: user.plan_id, email: user.email }
}

/**
 * Locks the row of a user whose password was found right; false when it has been changed since, or the account has ended: a change ends every
 * session, and one of the old password must not slip in behind it. Writing the hash anew holds off whoever is about to
 * change it, until the transaction ends.
 */
export async function lockPassword(tx: Tx, { id, password_hash }: UserRow): Promise<boolean> {
  const locked = await tx
    .updateTable('users')
    .set({ password_hash })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return locked.numUpdatedRows > 0n
}

/**
 * Signs a user out everywhere, or everywhere but in one session; what was begun of signing in is over too, and addresses
 * that were signed are good no more.
 */
export async function endSessions(tx: Tx, userId: string, now: number, exceptId?: string): Promise<number> {
  await revokeGrants(tx, userId, now)
  let ended = tx.deleteFrom('sessions').where('user_id', '=', userId)
  if (exceptId !== undefined) ended = ended.where('id', '!=', exceptId)
  const { numDeletedRows } = await ended.executeTakeFirstOrThrow()
  await endChallenges(tx, userId)
  return Number(numDeletedRows)
}

/** Whoever held a session may have kept addresses of files that it had signed. */
export async function revokeGrants(tx: Tx, userId: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ grants_revoked_at: now }).where('id', '=', userId).execute()
}
