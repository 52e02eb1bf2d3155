import type { removePasskey as call } from '@alcove/contract/passkeys'
import type { Operation } from '../../../platform/http/api.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { passkeyNotFound } from './passkeys.ts'

export const removePasskey: Operation<typeof call> = async (ctx, { id }) => {
  const { user } = ctx
  await ctx.db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    if (removed.numDeletedRows === 0n) throw passkeyNotFound()
    await queueMail(ctx, tx, 'security changed mail', user.id, { change: 'passkey_removed' })
  })
  await sendQueuedMails(ctx)
  return { message: 'The passkey was removed.' }
}
