import type { reauthenticate as call } from '@alcove/contract/reauthentication'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { lockPassword } from '../sessions/sessions.ts'
import { isTwoFactorOn, readCode, useUpCode } from '../two-factor/two-factor.ts'
import { assertPassword, wrongPassword } from './assert-password.ts'
import { countCode, forgetWrongCodes } from './attempts.ts'
import { confirmSession } from './confirm-session.ts'

/** Confirms the session with what signing in would take: the password, and a code where two-factor sign-in is on. */
export const reauthenticate: Operation<typeof call> = async (ctx, { password, code }) => {
  const user = await assertPassword(ctx, password)
  const proof = (await isTwoFactorOn(ctx.db, user.id)) ? await readGivenCode(code) : undefined
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPassword(tx, user))) throw wrongPassword()
    // Turned on since: the password alone no longer does.
    if (!proof && (await isTwoFactorOn(tx, user.id))) throw codeMissing()
    if (proof) await useUpCode(tx, user.id, proof)
    await confirmSession(ctx, tx)
  })
  if (proof) await forgetWrongCodes(ctx, user.id)
  return { message: 'You have confirmed that it is you.' }

  async function readGivenCode(given: string | undefined) {
    if (given === undefined) throw codeMissing()
    await countCode(ctx, user.id)
    return readCode(ctx, user.id, given)
  }
}

function codeMissing(): AppError {
  return new AppError('wrong_code', 'Enter the code of your authenticator app, or a recovery code.')
}
