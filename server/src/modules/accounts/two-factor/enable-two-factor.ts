import type { enableTwoFactor as call } from '@alcove/contract/two-factor'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { openText } from '../../../platform/secrets/sealed-text.ts'
import { findTotpStep } from '../../../platform/secrets/totp.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { countCode, forgetWrongCodes } from '../sign-in/attempts.ts'
import { replaceRecoveryCodes, twoFactorOn, wrongCode } from './two-factor.ts'

/** A secret that was begun with is good for so long. */
export const BEGUN_TTL = 3_600_000

/** Switches two-factor sign-in on: a code has shown that the app has the secret. That code is used up by it. */
export const enableTwoFactor: Operation<typeof call> = async (ctx, { code }) => {
  const { user, clock, secrets } = ctx
  await countCode(ctx, user.id)
  const begun = await getBegun(ctx)
  const step = findTotpStep(openText(secrets.twoFactorKey, begun.secret, user.id), code, clock.now())
  if (step === undefined) throw wrongCode()
  const recoveryCodes = await ctx.db.transaction().execute(async (tx) => {
    const enabled = await tx
      .updateTable('two_factor')
      .set({ enabled_at: clock.now(), last_step: step })
      .where('user_id', '=', user.id)
      .where('enabled_at', 'is', null)
      // Begun anew meanwhile, the code would be of another secret.
      .where('secret', '=', begun.secret)
      .executeTakeFirst()
    if (enabled.numUpdatedRows === 0n) throw twoFactorOn()
    await queueMail(ctx, tx, 'security changed mail', user.id, { change: 'two_factor_on' })
    return replaceRecoveryCodes(ctx, tx, user.id)
  })
  await forgetWrongCodes(ctx, user.id)
  await sendQueuedMails(ctx)
  return { recoveryCodes }
}

async function getBegun({ db, clock, user }: UserContext): Promise<{ secret: string }> {
  const row = await db
    .selectFrom('two_factor')
    .select(['secret', 'begun_at', 'enabled_at'])
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  if (row && row.enabled_at !== null) throw twoFactorOn()
  if (!row || row.begun_at <= clock.now() - BEGUN_TTL) {
    throw new AppError('state_conflict', 'Please begin anew: the QR code has expired.')
  }
  return row
}
