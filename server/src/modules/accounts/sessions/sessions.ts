import { randomUUID } from 'node:crypto'
import type { SignedIn } from '@alcove/contract/accounts'
import type { Context } from '../../../context.ts'
import { signSessionToken } from '../../../platform/crypto/session-token.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { endOfSession } from '../../../platform/http/authenticate.ts'
import { describeDevice } from '../../../platform/http/describe-device.ts'
import { noteSeen } from '../../../platform/http/note-seen.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { sendQueuedMails } from '../mails.ts'
import { noteDevice } from '../sign-in/known-devices.ts'
import type { Person } from '../single-sign-on/claims.ts'
import { groupChangesKind } from '../single-sign-on/group-memberships.ts'
import { noteOidcSession, redeemTicket } from '../single-sign-on/identities.ts'
import { endChallenges } from '../two-factor/two-factor.ts'

/**
 * Signs a user in: runs `step`, which checks the user's right to sign in or throws, and opens a session in the same
 * transaction. `step` first locks the user's row (`lockPassword`), so that no session is opened after a password
 * change. With a person at a provider, the account is linked to that person.
 */
export async function signIn(
  ctx: Context,
  user: UserRow,
  step: (tx: Tx) => Promise<void>,
  person?: Person,
): Promise<SignedIn> {
  const opened = await ctx.db.transaction().execute(async (tx) => {
    await step(tx)
    return openSession(ctx, tx, user, person)
  })
  return presentSignedIn(ctx, user, opened)
}

export interface OpenedSession {
  sessionId: string
  /** Whether a mail was queued: about a new device, or a linked provider. */
  hasMail: boolean
  /** Whether the provider has said in which groups the user is. */
  hasGroups: boolean
}

/**
 * Adds a session. The user's row must be locked. With a person at a provider who signs in, the account is linked to that person, if it
 * isn't yet, and the session too.
 */
export async function openSession(ctx: Context, tx: Tx, user: UserRow, person?: Person): Promise<OpenedSession> {
  const sessionId = randomUUID()
  const identity = person && (await redeemTicket(ctx, tx, user, person))
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
  await noteSeen(tx, user.id, now)
  if (person && identity) await noteOidcSession(ctx, tx, sessionId, identity.id, person)
  const isNewDevice = await noteDevice(ctx, tx, user.id, device)
  return { sessionId, hasMail: isNewDevice || identity?.isNew === true, hasGroups: person?.groups !== undefined }
}

export async function presentSignedIn(
  ctx: Context,
  user: UserRow,
  { sessionId, hasMail, hasGroups }: OpenedSession,
): Promise<SignedIn> {
  logSecurity(ctx, 'signed_in', { account: user.email })
  // Whoever has left a group loses its folders before the response.
  if (hasGroups) await ctx.jobs.runDueOf([groupChangesKind])
  if (hasMail) await sendQueuedMails(ctx)
  const token = await signSessionToken(ctx.secrets.sessionKey, { userId: user.id, sessionId })
  return { token, planName: user.plan_name, planId: user.plan_id, email: user.email }
}

/**
 * Locks the row of a user whose password was verified. Returns false if the password has changed since, or the account
 * has ended or was suspended. Rewriting the same hash blocks a concurrent password change until the transaction ends, so that no session
 * of the old password survives it.
 */
export async function lockPassword(tx: Tx, { id, password_hash }: UserRow): Promise<boolean> {
  const locked = await tx
    .updateTable('users')
    .set({ password_hash })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  return locked.numUpdatedRows > 0n
}

/** Ends all sessions of a user, optionally except one. Pending sign-ins and signed URLs become invalid too. */
export async function endSessions(tx: Tx, userId: string, now: number, exceptId?: string): Promise<number> {
  await revokeGrants(tx, userId, now)
  let ended = tx.deleteFrom('sessions').where('user_id', '=', userId)
  if (exceptId !== undefined) ended = ended.where('id', '!=', exceptId)
  const { numDeletedRows } = await ended.executeTakeFirstOrThrow()
  await endChallenges(tx, userId)
  return Number(numDeletedRows)
}

/** Revokes all signed URLs of a user, because an ended session may have created them. */
export async function revokeGrants(tx: Tx, userId: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ grants_revoked_at: now }).where('id', '=', userId).execute()
}
