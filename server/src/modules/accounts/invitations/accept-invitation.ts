import { calls } from '@alcove/contract/calls'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { hashPassword } from '../../../platform/crypto/passwords.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import type { InvitationRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { dropEarlierAccess } from '../registration/claim-address.ts'
import { emailTaken } from '../registration/register.ts'
import { openSession, presentSignedIn } from '../sessions/sessions.ts'
import { assertGoodPassword } from '../sign-in/check-password.ts'
import { createUser } from '../users.ts'
import { giveWhatWasPromised } from './give-what-was-promised.ts'
import { readInvitationToken } from './invitation-link.ts'

export const checkInvitation = endpoint(calls.checkInvitation, async (ctx, { token }) => {
  const { email } = await findInvitation(ctx, token)
  return { email }
})

/**
 * Creates the account and signs in. It needs no activation: the link came by mail to the address, or from the administrator, who could
 * activate the account anyway.
 */
export const acceptInvitationToServer = endpoint(calls.acceptInvitationToServer, async (ctx, { token, password }) => {
  const { id: invitationId, email } = await findInvitation(ctx, token)
  await assertGoodPassword(password, email)
  const passwordHash = await hashPassword(password)
  const { user, opened } = await ctx.db
    .transaction()
    .execute(async (tx) => {
      const now = ctx.clock.now()
      // Of two who use the link at once, only one deletes the row.
      const invitation = await tx
        .deleteFrom('invitations')
        .where('id', '=', invitationId)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
      if (!invitation) throw invitationOver()
      const replacedId = await replaceNeverActivated(tx, email, passwordHash, now)
      const id = replacedId ?? (await createUser(ctx, tx, { email, passwordHash, activatedAt: now, now }))
      await giveWhatWasPromised(ctx, tx, id, invitation)
      const user = await tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return { user, opened: await openSession(ctx, tx, user) }
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? emailTaken() : error
    })
  logSecurity(ctx, 'registered', { account: email })
  return presentSignedIn(ctx, user, opened)
})

async function findInvitation(ctx: Context, token: string): Promise<Pick<InvitationRow, 'id' | 'email'>> {
  const id = readInvitationToken(ctx, token)
  const found =
    id === undefined
      ? undefined
      : await ctx.db
          .selectFrom('invitations')
          .select(['id', 'email'])
          .where('id', '=', id)
          .where('expires_at', '>', ctx.clock.now())
          .executeTakeFirst()
  if (found) return found
  logSecurity(ctx, 'mail_link_failed', {})
  throw invitationOver()
}

function invitationOver(): AppError {
  return new AppError('not_found', 'This invitation was used, was taken back or has expired. Ask for a new one.')
}

/** Takes over an account that somebody registered with the address and never activated. Returns its id, or undefined if there is none. */
async function replaceNeverActivated(
  tx: Tx,
  email: string,
  passwordHash: string,
  now: number,
): Promise<string | undefined> {
  const replaced = await tx
    .updateTable('users')
    .set({
      ...{ password_hash: passwordHash, activated_at: now, confirmed_email: email, created_at: now },
      ...{ claimed_from: null, proof_hash: null },
    })
    .where('email', '=', email)
    .where('confirmed_email', 'is', null)
    .where('email_changed_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!replaced) return undefined
  await tx.deleteFrom('one_time_tokens').where('user_id', '=', replaced.id).execute()
  await dropEarlierAccess(tx, replaced.id, now)
  return replaced.id
}
