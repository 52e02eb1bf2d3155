import { calls } from '@alcove/contract/calls'
import { AppError } from '../../../errors.ts'
import { hashPassword } from '../../../platform/crypto/passwords.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { loggingRefusals, logSecurity, securityEvent } from '../../../platform/security-log.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { dropEarlierAccess } from '../registration/claim-address.ts'
import { endSessions } from '../sessions/sessions.ts'
import { mayUsePassword } from '../single-sign-on/providers.ts'
import { findUserByEmail } from '../users.ts'
import { clearFailedLogins, countMail } from './attempts.ts'
import { assertGoodPassword, assertPassword, wrongPassword } from './check-password.ts'
import { assertResetToken, consumeToken, findTokenOwner, invalidResetToken } from './one-time-tokens.ts'

/** Changes the password. Ends all other sessions and pending reset links. */
export const updatePassword = endpoint(
  calls.updatePassword,
  securityEvent('password_changed', async (ctx, { currentPassword, newPassword }) => {
    const user = await assertPassword(ctx, currentPassword)
    await assertGoodPassword(newPassword, user.email)
    const passwordHash = await hashPassword(newPassword)
    await ctx.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('one_time_tokens').where('user_id', '=', user.id).where('kind', '=', 'reset').execute()
      const changed = await tx
        .updateTable('users')
        .set({ password_hash: passwordHash })
        .where('id', '=', user.id)
        // Of two concurrent changes, only the first one still matches the current password.
        .where('password_hash', '=', user.password_hash)
        .executeTakeFirst()
      if (changed.numUpdatedRows === 0n) throw wrongPassword()
      await endSessions(tx, user.id, ctx.clock.now(), ctx.user.sessionId)
      await queueMail(ctx, tx, 'password changed mail', user.id, {})
    })
    await sendQueuedMails(ctx)
    return { message: 'Password updated successfully.' }
  }),
)

/** Sends a reset mail. The response doesn't reveal whether the account exists. */
export const forgotPassword = endpoint(calls.forgotPassword, async (ctx, { email }) => {
  await loggingRefusals(ctx, { account: email }, () => countMail(ctx, 'reset', email))
  logSecurity(ctx, 'password_reset_requested', { account: email })
  const user = await findUserByEmail(ctx.db, email)
  const recipient = user && (await mayUsePassword(ctx, user)) ? user.id : undefined
  await ctx.db.transaction().execute((tx) => queueMail(ctx, tx, 'reset mail', recipient, {}))
  await sendQueuedMails(ctx)
  return { message: 'If this address has an account, an email with a reset link is on its way.' }
})

/** Checks a reset token without using it up. */
export const validatePassword = endpoint(calls.validatePassword, async (ctx, { resetToken }) => {
  await assertResetToken(ctx, resetToken)
  return { message: 'Token is valid. You can reset your password.' }
})

/**
 * Sets a new password with the token from a mail and ends all sessions. Two-factor sign-in stays on, because a mailbox
 * is only one factor. If the address was never confirmed, someone else may have set up passkeys or two-factor sign-in,
 * so they are removed.
 */
export const resetPassword = endpoint(calls.resetPassword, async (ctx, { resetToken, token, newPassword }) => {
  if (token !== undefined && token !== resetToken)
    throw new AppError('malformed', 'The request contains two different tokens.')
  const now = ctx.clock.now()
  // Checked before hashing, so that an invalid token doesn't cost that work.
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
    await queueMail(ctx, tx, 'password changed mail', used.userId, {})
    return used.email
  })
  logSecurity(ctx, 'password_reset', { account: email })
  await clearFailedLogins(ctx, email)
  await sendQueuedMails(ctx)
  return { message: 'Your password has been reset.' }
})
