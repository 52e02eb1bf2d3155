import type { login as call } from '@alcove/contract/accounts'
import { TWO_FACTOR_CHALLENGE_TTL } from '@alcove/contract/limits'
import { AppError } from '../../../errors.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { isPassword } from '../../../platform/secrets/passwords.ts'
import { loggingRefusals } from '../../../platform/security-log.ts'
import { findUserByEmail } from '../queries.ts'
import { lockPassword, openSession, presentSignedIn } from '../sessions/sessions.ts'
import { isTwoFactorOn } from '../two-factor/two-factor.ts'
import { countLogin, forgetFailedLogins } from './attempts.ts'
import { createChallenge } from './challenges.ts'

/**
 * Signs in, or where two-factor sign-in is on gives the challenge that its code answers. An unknown address and a wrong
 * password get the same answer after the same time.
 */
export const login: Operation<typeof call> = (ctx, input) =>
  loggingRefusals(ctx, { account: input.email }, () => checkPassword(ctx, input))

const checkPassword: Operation<typeof call> = async (ctx, { email, password }) => {
  await countLogin(ctx, email)
  const user = await findUserByEmail(ctx.db, email)
  const fits = await isPassword(password, user?.password_hash)
  if (!user || !fits) throw incorrect()
  await forgetFailedLogins(ctx, email)
  assertActivated(user)
  const opened = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPassword(tx, user))) throw incorrect()
    if (!(await isTwoFactorOn(tx, user.id))) return openSession(ctx, tx, user)
    const expiresAt = ctx.clock.now() + TWO_FACTOR_CHALLENGE_TTL
    return { challenge: await createChallenge(tx, { kind: 'code', userId: user.id, expiresAt }) }
  })
  if ('challenge' in opened) return { twoFactorRequired: true, challenge: opened.challenge }
  return presentSignedIn(ctx, user, opened)
}

export function assertActivated(user: UserRow): void {
  if (user.activated_at !== null) return
  throw new AppError('not_activated', 'Account not activated.', { resendOption: true })
}

function incorrect(): AppError {
  return new AppError('incorrect_credentials', 'Incorrect username/password.')
}
