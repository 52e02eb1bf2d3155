import type { unlockPublicLink as call } from '@alcove/contract/sharing'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { isPassword } from '../../platform/secrets/passwords.ts'
import { loggingRefusals, logSecurity } from '../../platform/security-log.ts'
import { signAccess } from './link-access.ts'
import { countUnlock, noteUnlocked } from './link-guesses.ts'
import { findShared } from './open-link.ts'

/** Opens a link that has a password: returns the access that its other calls take. */
export const unlockPublicLink: Operation<typeof call> = async (ctx, { token, password }) => {
  const shared = await findShared(ctx, token)
  if (shared.password_hash !== null) {
    await loggingRefusals(ctx, { item: shared.id }, () => countUnlock(ctx, shared))
    if (!(await isPassword(password, shared.password_hash))) {
      logSecurity(ctx, 'link_password_failed', { item: shared.id })
      throw new AppError('wrong_password', 'This password is not right.')
    }
    await noteUnlocked(ctx, shared)
  }
  const { access, expires } = signAccess(ctx, shared)
  return { access, expiresAt: new Date(expires).toISOString() }
}
