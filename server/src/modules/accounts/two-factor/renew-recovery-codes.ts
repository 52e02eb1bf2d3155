import type { renewRecoveryCodes as call } from '@alcove/contract/two-factor'
import type { Operation } from '../../../platform/http/api.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { assertPassword } from '../sign-in/assert-password.ts'
import { countCode, forgetWrongCodes } from '../sign-in/attempts.ts'
import { readCode, replaceRecoveryCodes, useUpCode } from './two-factor.ts'

/** Returns new recovery codes, shown this once; like switching off it takes both factors. */
export const renewRecoveryCodes: Operation<typeof call> = async (ctx, { password, code }) => {
  const { user } = ctx
  await assertPassword(ctx, password)
  await countCode(ctx, user.id)
  const proof = await readCode(ctx, user.id, code)
  const recoveryCodes = await ctx.db.transaction().execute(async (tx) => {
    await useUpCode(tx, user.id, proof)
    await queueMail(ctx, tx, 'security changed mail', user.id, { change: 'recovery_codes_renewed' })
    return replaceRecoveryCodes(ctx, tx, user.id)
  })
  await forgetWrongCodes(ctx, user.id)
  await sendQueuedMails(ctx)
  return { recoveryCodes }
}
