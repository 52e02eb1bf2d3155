import type { updatePassword as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'
import { hashPassword } from '../../../platform/secrets/passwords.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { endSessions } from '../sessions/sessions.ts'
import { assertGoodPassword } from './assert-good-password.ts'
import { assertPassword, wrongPassword } from './assert-password.ts'

/** Sets a new password, and signs the user out everywhere but here; reset links that are on their way end too. */
export const updatePassword: Operation<typeof call> = async (ctx, { currentPassword, newPassword }) => {
  const user = await assertPassword(ctx, currentPassword)
  await assertGoodPassword(newPassword, user.email)
  const passwordHash = await hashPassword(newPassword)
  await ctx.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('one_time_tokens').where('user_id', '=', user.id).where('kind', '=', 'reset').execute()
    const changed = await tx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', user.id)
      // Of two changes at once only one is made by someone who knew the password.
      .where('password_hash', '=', user.password_hash)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw wrongPassword()
    await endSessions(tx, user.id, ctx.clock.now(), ctx.user.sessionId)
    await queueMail(ctx, tx, 'password changed mail', user.id)
  })
  await sendQueuedMails(ctx)
  return { message: 'Password updated successfully.' }
}
