import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { hasPassword, isCommonPassword, isPassword } from '../../../platform/crypto/passwords.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { assertRecentSignIn } from '../../../platform/http/authenticate.ts'
import { loggingRefusals } from '../../../platform/security-log.ts'
import { countConfirmation, forgetFailedConfirmations } from './attempts.ts'

/**
 * Checks the current password of a signed-in user and returns the user's row. A wrong password is 403, because 401
 * means that the session is over, and counts like a failed sign-in. An account without a password needs a recent sign-in instead.
 */
export function assertPassword(ctx: UserContext, password: string | undefined): Promise<UserRow> {
  return loggingRefusals(ctx, { account: ctx.user.email }, () => checkPassword(ctx, password))
}

async function checkPassword(ctx: UserContext, password: string | undefined): Promise<UserRow> {
  const user = await ctx.db.selectFrom('users').selectAll().where('id', '=', ctx.user.id).executeTakeFirst()
  if (user && !hasPassword(user.password_hash)) {
    assertRecentSignIn(ctx.user, ctx.clock.now())
    return user
  }
  if (!password) throw new AppError('malformed', 'Enter your password.')
  await countConfirmation(ctx)
  const fits = await isPassword(password, user?.password_hash)
  if (!user || !fits) throw wrongPassword()
  await forgetFailedConfirmations(ctx)
  return user
}

export function wrongPassword(): AppError {
  return new AppError('wrong_password', 'Incorrect password.')
}

/** Throws if a new password is among the most common ones or equals the account's email address. */
export async function assertGoodPassword(password: string, email: string): Promise<void> {
  assertNotAddress(password, email)
  if (await isCommonPassword(password)) {
    throw new AppError('weak_password', 'This password is one of the most common ones. Choose another one.')
  }
}

/** Throws if a password equals the account's email address, ignoring case. */
export function assertNotAddress(password: string, email: string): void {
  if (password.trim().toLowerCase() !== email) return
  throw new AppError('weak_password', 'Your password can’t be your email address. Choose another one.')
}
