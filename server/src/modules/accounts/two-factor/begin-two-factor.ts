import type { beginTwoFactor as call } from '@alcove/contract/two-factor'
import type { Operation } from '../../../platform/http/api.ts'
import { sealText } from '../../../platform/secrets/sealed-text.ts'
import { createTotpSecret, totpUri } from '../../../platform/secrets/totp.ts'
import { assertPassword } from '../sign-in/assert-password.ts'
import { confirmSession } from '../sign-in/confirm-session.ts'
import { twoFactorOn } from './two-factor.ts'

/** Makes a secret for the authenticator app, in place of one that was begun with before. Nothing is on yet. */
export const beginTwoFactor: Operation<typeof call> = async (ctx, { password }) => {
  const user = await assertPassword(ctx, password)
  const secret = createTotpSecret()
  const begun = { secret: sealText(ctx.secrets.twoFactorKey, secret, user.id), begun_at: ctx.clock.now() }
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('two_factor')
    .values({ user_id: user.id, enabled_at: null, ...begun })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(begun).where('two_factor.enabled_at', 'is', null))
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) throw twoFactorOn()
  // The password was all that signing in takes, so the code that follows needs no more than that.
  await confirmSession(ctx, ctx.db)
  return { secret, uri: totpUri(secret, user.email) }
}
