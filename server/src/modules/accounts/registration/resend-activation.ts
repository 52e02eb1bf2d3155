import type { resendActivation as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { findUserByEmail } from '../queries.ts'
import { countMail } from '../sign-in/attempts.ts'

/** Sends the activation mail again. The response does not tell whether there is such an account. */
export const resendActivation: Operation<typeof call> = async (ctx, { email }) => {
  await countMail(ctx, 'activation', email)
  const user = await findUserByEmail(ctx.db, email)
  await ctx.db.transaction().execute((tx) => queueMail(ctx, tx, 'activation mail', user?.id))
  await sendQueuedMails(ctx)
  return { message: 'Activation email sent. Check your inbox.' }
}
