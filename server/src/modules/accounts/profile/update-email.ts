import type { updateEmail as call } from '@alcove/contract/accounts'
import { AppError } from '../../../errors.ts'
import { isUniqueViolation } from '../../../platform/db/unique-violation.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { callerOf } from '../../../platform/http/client-network.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { emailTaken } from '../registration/register.ts'
import { assertNotAddress } from '../sign-in/assert-good-password.ts'
import { assertPassword, wrongPassword } from '../sign-in/assert-password.ts'
import { countEmailChange, countMail } from '../sign-in/attempts.ts'

/**
 * Takes another address. This session stays, but signing in needs the new address confirmed. The unique index decides
 * who was first with it; tokens that were mailed to the old one end with it.
 */
export const updateEmail: Operation<typeof call> = async (ctx, { email, newEmail, password }) => {
  if (email !== ctx.user.email) throw new AppError('malformed', 'This is not the email of your account.')
  if (newEmail === ctx.user.email) throw new AppError('malformed', 'This is your email already.')
  const user = await assertPassword(ctx, password)
  assertNotAddress(password, newEmail)
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
      await queueMail(ctx, tx, 'activation mail', user.id)
      // To the address that its user is known to have, whichever ones were only claimed since.
      const { confirmed_email: oldEmail } = user
      if (oldEmail !== null) await queueMail(ctx, tx, 'email changed mail', user.id, { oldEmail, newEmail })
    })
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken() : error
  }
  await sendQueuedMails(ctx)
  return { message: 'Email updated. Check your inbox to verify the new address.', email: newEmail }
}
