import { LINK_PASSWORD_WINDOW, MAX_LINK_PASSWORD_TRIES } from '@alcove/contract/limits'
import type { unlockPublicLink as call } from '@alcove/contract/sharing'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { callerOf } from '../../platform/http/network-of.ts'
import { isPassword } from '../../platform/secrets/passwords.ts'
import { signAccess } from './link-access.ts'
import { findShared } from './open-link.ts'

const NAME = 'link passwords'
const TRIES = { points: MAX_LINK_PASSWORD_TRIES, seconds: LINK_PASSWORD_WINDOW / 1000 }

/** Tries are counted before the password is looked at, so that many at once are no more than the limit allows. */
export const unlockPublicLink: Operation<typeof call> = async (ctx, { token, password }) => {
  const shared = await findShared(ctx, token)
  if (shared.password_hash !== null) {
    const key = `${shared.token} ${callerOf(ctx.ip)}`
    await ctx.rateLimits.consume(NAME, TRIES, key)
    if (!(await isPassword(password, shared.password_hash))) {
      throw new AppError('wrong_password', 'This password is not right.')
    }
    await ctx.rateLimits.forget(NAME, TRIES, key)
  }
  const { access, expires } = signAccess(ctx, shared)
  return { access, expiresAt: new Date(expires).toISOString() }
}
