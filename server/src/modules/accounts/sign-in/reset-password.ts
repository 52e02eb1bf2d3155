import type { resetPasswordCall as call } from '@alcove/contract/accounts'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { hashPassword } from '../../../platform/secrets/passwords.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { dropEarlierAccess } from '../registration/claim-address.ts'
import { endSessions } from '../sessions/sessions.ts'
import { assertGoodPassword } from './assert-good-password.ts'
import { clearFailedLogins } from './attempts.ts'
import { assertResetToken, consumeToken, findTokenOwner, invalidResetToken } from './one-time-tokens.ts'

/**
 * Sets a new password with the token of a mail, and signs the user out everywhere. Two-factor sign-in stays on: a mailbox
 * is one factor, and must not do away with the other. Only where the address was never confirmed, whoever set these things
 * up need not be the one who holds it: then all of them go.
 */
export const resetPassword: Operation<typeof call> = async (ctx, { resetToken, token, newPassword }) => {
  if (token !== undefined && token !== resetToken) throw new AppError('malformed', 'Two different tokens were given.')
  const now = ctx.clock.now()
  // Looked at before it is used up, so that a bad token does not cost the work of hashing.
  await assertResetToken(ctx, resetToken)
  const owner = await findTokenOwner(ctx.db, 'reset', resetToken, now)
  if (!owner) throw invalidResetToken()
  await assertGoodPassword(newPassword, owner.email)
  const passwordHash = await hashPassword(newPassword)
  const email = await ctx.db.transaction().execute(async (tx) => {
    const used = await consumeToken(tx, 'reset', resetToken, now)
    if (!used) throw invalidResetToken()
    const changed = await tx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', used.userId)
      .where('email', '=', used.email)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw invalidResetToken()
    const { activated_at } = await tx
      .selectFrom('users')
      .select('activated_at')
      .where('id', '=', used.userId)
      .executeTakeFirstOrThrow()
    if (activated_at === null) await dropEarlierAccess(tx, used.userId, ctx.clock.now())
    else await endSessions(tx, used.userId, ctx.clock.now())
    await queueMail(ctx, tx, 'password changed mail', used.userId)
    return used.email
  })
  logSecurity(ctx, 'password_reset', { account: email })
  await clearFailedLogins(ctx, email)
  await sendQueuedMails(ctx)
  return { message: 'Your password has been reset.' }
}
