import type { SignedIn } from '@alcove/contract/accounts'
import type { loginWithCode as call } from '@alcove/contract/two-factor'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { loggingRefusals } from '../../../platform/security-log.ts'
import { lockPassword, signIn } from '../sessions/sessions.ts'
import { readCode, useUpCode } from '../two-factor/two-factor.ts'
import { countCode, forgetWrongCodes } from './attempts.ts'
import { findChallengedUser, useUpChallenge } from './challenges.ts'
import { assertActivated } from './login.ts'

/**
 * The second step of signing in. The challenge stands for the right password: it ends with that password, and with the
 * sign-in that it was given for. A wrong code leaves it good for another try, of which an account has so many.
 */
export const loginWithCode: Operation<typeof call> = async (ctx, { challenge, code }) => {
  const user = await findChallengedUser(ctx.db, challenge, 'code', ctx.clock.now())
  if (!user) throw expired()
  return loggingRefusals(ctx, { account: user.email }, () => checkCode(ctx, user, { challenge, code }))
}

async function checkCode(
  ctx: Context,
  user: UserRow,
  { challenge, code }: { challenge: string; code: string },
): Promise<SignedIn> {
  const now = ctx.clock.now()
  await countCode(ctx, user.id)
  assertActivated(user)
  const proof = await readCode(ctx, user.id, code)
  const signedIn = await signIn(ctx, user, async (tx) => {
    if (!(await lockPassword(tx, user))) throw expired()
    if (!(await useUpChallenge(tx, challenge, { kind: 'code', userId: user.id, now }))) throw expired()
    await useUpCode(tx, user.id, proof)
  })
  await forgetWrongCodes(ctx, user.id)
  return signedIn
}

function expired(): AppError {
  return new AppError('invalid_token', 'This sign-in has expired. Please sign in again.')
}
