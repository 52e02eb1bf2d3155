import type { disableTwoFactor as call } from '@alcove/contract/two-factor'
import type { Operation } from '../../../platform/http/api.ts'
import { sendQueuedMails } from '../mails.ts'
import { assertPassword } from '../sign-in/assert-password.ts'
import { countCode, forgetWrongCodes } from '../sign-in/attempts.ts'
import { endChallenges, readCode, switchTwoFactorOff, twoFactorOff, useUpCode } from './two-factor.ts'

/**
 * Switches two-factor sign-in off. It takes both factors, so that neither a stolen password nor a session left open is
 * enough; whoever has lost the app has the recovery codes.
 */
export const disableTwoFactor: Operation<typeof call> = async (ctx, { password, code }) => {
  const { user } = ctx
  await assertPassword(ctx, password)
  await countCode(ctx, user.id)
  const proof = await readCode(ctx, user.id, code)
  await ctx.db.transaction().execute(async (tx) => {
    // First, in the order in which signing in takes them.
    await endChallenges(tx, user.id)
    await useUpCode(tx, user.id, proof)
    if (!(await switchTwoFactorOff(ctx, tx, user.id))) throw twoFactorOff()
  })
  await forgetWrongCodes(ctx, user.id)
  await sendQueuedMails(ctx)
  return { message: 'Two-factor sign-in is off.' }
}
