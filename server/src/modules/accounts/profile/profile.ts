import { calls } from '@alcove/contract/calls'
import { foldForSearch } from '@alcove/contract/search-text'
import { AppError } from '../../../errors.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { callerOf } from '../../../platform/http/client-address.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { emailTaken } from '../registration/register.ts'
import { countEmailChange, countMail } from '../sign-in/attempts.ts'
import { assertNotAddress, assertPassword, wrongPassword } from '../sign-in/check-password.ts'

/** Returns the display name. */
export const getProfile = endpoint(calls.getProfile, async ({ db, user }) => {
  const row = await db.selectFrom('users').select('display_name').where('id', '=', user.id).executeTakeFirstOrThrow()
  return { displayName: row.display_name ?? '' }
})

/** Sets the user's display name. An empty string removes it. */
export const updateProfile = endpoint(calls.updateProfile, async ({ db, user }, { displayName }) => {
  await db
    .updateTable('users')
    .set({ display_name: displayName || null, display_name_folded: foldForSearch(displayName) || null })
    .where('id', '=', user.id)
    .execute()
  return { displayName }
})

export const getAccountStatus = endpoint(calls.getAccountStatus, async ({ user }) => ({
  isActivated: user.isActivated,
}))

/**
 * Changes the address. This session stays, but the next sign-in requires the new address to be confirmed. The unique
 * index decides who gets an address; tokens mailed to the old one become invalid.
 */
export const updateEmail = endpoint(
  calls.updateEmail,
  securityEvent('email_changed', async (ctx, { email, newEmail, password }) => {
    if (email !== ctx.user.email) throw new AppError('malformed', 'This is not the email address of your account.')
    if (newEmail === ctx.user.email) throw new AppError('malformed', 'This is already your email address.')
    const user = await assertPassword(ctx, password)
    if (password) assertNotAddress(password, newEmail)
    await countEmailChange(ctx, user.id)
    await countMail(ctx, 'activation', newEmail)
    try {
      await ctx.db.transaction().execute(async (tx) => {
        await tx.deleteFrom('one_time_tokens').where('user_id', '=', user.id).execute()
        const changed = await tx
          .updateTable('users')
          .set({
            email: newEmail,
            activated_at: null,
            email_changed_at: ctx.clock.now(),
            claimed_from: callerOf(ctx.ip),
            proof_hash: null,
          })
          .where('id', '=', user.id)
          .where('email', '=', email)
          .where('password_hash', '=', user.password_hash)
          .executeTakeFirst()
        if (changed.numUpdatedRows === 0n) throw wrongPassword()
        await queueMail(ctx, tx, 'activation mail', user.id, {})
        // Notifies the last confirmed address, not one that was set later and never confirmed.
        const { confirmed_email: oldEmail } = user
        if (oldEmail !== null) await queueMail(ctx, tx, 'email changed mail', user.id, { oldEmail, newEmail })
      })
    } catch (error) {
      throw isUniqueViolation(error) ? emailTaken() : error
    }
    await sendQueuedMails(ctx)
    return { message: 'Email updated. Check your inbox to verify the new address.', email: newEmail }
  }),
)
