import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { isPassword } from '../../../platform/secrets/passwords.ts'
import { loggingRefusals } from '../../../platform/security-log.ts'
import { countConfirmation, forgetFailedConfirmations } from './attempts.ts'

/**
 * Holds the password that a signed-in user has typed once more against their own, and answers their row. A wrong one is
 * 403, since 401 means that the session is over, and counts like a failed sign-in.
 */
export function assertPassword(ctx: UserContext, password: string): Promise<UserRow> {
  return loggingRefusals(ctx, { account: ctx.user.email }, () => checkPassword(ctx, password))
}

async function checkPassword(ctx: UserContext, password: string): Promise<UserRow> {
  await countConfirmation(ctx)
  const user = await ctx.db.selectFrom('users').selectAll().where('id', '=', ctx.user.id).executeTakeFirst()
  const fits = await isPassword(password, user?.password_hash)
  if (!user || !fits) throw wrongPassword()
  await forgetFailedConfirmations(ctx)
  return user
}

export function wrongPassword(): AppError {
  return new AppError('wrong_password', 'Incorrect password.')
}
