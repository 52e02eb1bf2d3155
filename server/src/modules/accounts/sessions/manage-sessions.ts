import { calls } from '@alcove/contract/calls'
import { AppError } from '../../../errors.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { findSignOutUrl } from '../single-sign-on/sign-out.ts'
import { endSessions, revokeGrants } from './sessions.ts'

export const listSessions = endpoint(calls.listSessions, async ({ db, user, clock }) => {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'ip', 'created_at', 'last_used_at'])
    .where('user_id', '=', user.id)
    .where('expires_at', '>', clock.now())
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
  const sessions = rows.map(({ id, device, ip, created_at, last_used_at }) => ({
    id,
    device,
    ip,
    createdAt: formatTime(created_at),
    lastUsedAt: formatTime(last_used_at),
    isCurrent: id === user.sessionId,
  }))
  return { sessions: sessions.sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent)) }
})

/** Ends one of the user's sessions, which may be this one. */
export const endSession = endpoint(
  calls.endSession,
  securityEvent('session_ended', async ({ db, user, clock }, { id }) => {
    await db.transaction().execute(async (tx) => {
      // Locks the user's row first, as everywhere, so that two requests can't deadlock.
      await revokeGrants(tx, user.id, clock.now())
      const ended = await tx
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', user.id)
        .executeTakeFirst()
      if (ended.numDeletedRows === 0n) throw new AppError('not_found', 'This session was not found.')
    })
    return { message: 'That browser is signed out.' }
  }),
)

export const endOtherSessions = endpoint(
  calls.endOtherSessions,
  securityEvent('other_sessions_ended', async ({ db, user, clock }) => {
    const count = await db.transaction().execute((tx) => endSessions(tx, user.id, clock.now(), user.sessionId))
    return { message: 'You are signed out everywhere else.', count }
  }),
)

/** Ends only this session. The user stays signed in elsewhere. */
export const logout = endpoint(
  calls.logout,
  securityEvent('signed_out', async (ctx) => {
    const signOutUrl = await findSignOutUrl(ctx)
    await ctx.db.deleteFrom('sessions').where('id', '=', ctx.user.sessionId).execute()
    return { message: 'You are signed out.', signOutUrl }
  }),
)
