import type { forgotPassword as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'
import { loggingRefusals, logSecurity } from '../../../platform/security-log.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { findUserByEmail } from '../queries.ts'
import { countMail } from './attempts.ts'

/** Sends a mail with a reset link. The response does not tell whether there is such an account. */
export const forgotPassword: Operation<typeof call> = async (ctx, { email }) => {
  await loggingRefusals(ctx, { account: email }, () => countMail(ctx, 'reset', email))
  logSecurity(ctx, 'password_reset_requested', { account: email })
  const user = await findUserByEmail(ctx.db, email)
  await ctx.db.transaction().execute((tx) => queueMail(ctx, tx, 'reset mail', user?.id))
  await sendQueuedMails(ctx)
  return { message: 'If this address has an account, a mail with a reset link is on its way.' }
}
