import type { login as call } from '@alcove/contract/accounts'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { isPassword } from '../../platform/secrets/passwords.ts'
import { countLogin, forgetFailedLogins } from './attempts.ts'
import { findUserByEmail } from './queries.ts'
import { startSession } from './sessions.ts'

/** Signs in. An unknown address and a wrong password get the same answer after the same time. */
export const login: Operation<typeof call> = async (ctx, { email, password }) => {
  await countLogin(ctx, email)
  const user = await findUserByEmail(ctx.db, email)
  const fits = await isPassword(password, user?.password_hash)
  if (!user || !fits) throw incorrect()
  await forgetFailedLogins(ctx, email)
  if (user.activated_at === null) {
    throw new AppError('not_activated', 'Account not activated.', { resendOption: true })
  }
  const token = await startSession(ctx, user)
  if (token === undefined) throw incorrect()
  return { token, planName: user.plan_name, planId: user.plan_id, email: user.email }
}

function incorrect(): AppError {
  return new AppError('incorrect_credentials', 'Incorrect username/password.')
}
