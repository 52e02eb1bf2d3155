import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { hasPassword } from '../../../platform/crypto/passwords.ts'
import { openText, sealText } from '../../../platform/crypto/secrets.ts'
import { createTotpSecret, findTotpStep, totpUri } from '../../../platform/crypto/totp.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { readBrand } from '../../site/index.ts'
import { reportSecurityChange, sendQueuedMails } from '../mails.ts'
import { countCode, forgetWrongCodes } from '../sign-in/attempts.ts'
import { assertPassword } from '../sign-in/check-password.ts'
import { confirmSession } from '../sign-in/reauthenticate.ts'
import {
  endChallenges,
  readCode,
  replaceRecoveryCodes,
  switchTwoFactorOff,
  twoFactorOff,
  twoFactorOn,
  useUpCode,
  wrongCode,
} from './two-factor.ts'

export const getTwoFactor = endpoint(calls.getTwoFactor, async ({ db, user }) => {
  const row = await db.selectFrom('two_factor').select('enabled_at').where('user_id', '=', user.id).executeTakeFirst()
  const enabledAt = row?.enabled_at ?? null
  if (enabledAt === null) return { isEnabled: false, enabledAt: null, recoveryCodesLeft: 0 }
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll().as('left'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return { isEnabled: true, enabledAt: formatTime(enabledAt), recoveryCodesLeft: Number(left) }
})

/** Creates a secret for the authenticator app, replacing an unconfirmed one. Two-factor sign-in is not on yet. */
export const beginTwoFactor = endpoint(calls.beginTwoFactor, async (ctx, { password }) => {
  const user = await assertPassword(ctx, password)
  const secret = createTotpSecret()
  const begun = { secret: sealText(ctx.secrets.twoFactorKey, secret, user.id), begun_at: ctx.clock.now() }
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('two_factor')
    .values({ user_id: user.id, enabled_at: null, ...begun })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(begun).where('two_factor.enabled_at', 'is', null))
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) throw twoFactorOn()
  // Before two-factor sign-in is on, the password is all that signing in requires, so confirming the code requires no
  // more.
  if (hasPassword(user.password_hash)) await confirmSession(ctx, ctx.db)
  return { secret, uri: totpUri(secret, user.email, (await readBrand(ctx)).name) }
})

/** How long an unconfirmed secret is valid. */
export const SETUP_TTL = 3_600_000

/** Turns on two-factor sign-in with a code, which proves that the app has the secret and is used up. */
export const enableTwoFactor = endpoint(
  calls.enableTwoFactor,
  securityEvent('two_factor_on', async (ctx, { code }) => {
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
        // If setup was restarted in the meantime, the code belongs to another secret.
        .where('secret', '=', begun.secret)
        .executeTakeFirst()
      if (enabled.numUpdatedRows === 0n) throw twoFactorOn()
      await reportSecurityChange(ctx, tx, user.id, { change: 'two_factor_on' })
      return replaceRecoveryCodes(ctx, tx, user.id)
    })
    await forgetWrongCodes(ctx, user.id)
    await sendQueuedMails(ctx)
    return { recoveryCodes }
  }),
)

async function getBegun({ db, clock, user }: UserContext): Promise<{ secret: string }> {
  const row = await db
    .selectFrom('two_factor')
    .select(['secret', 'begun_at', 'enabled_at'])
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  if (row && row.enabled_at !== null) throw twoFactorOn()
  if (!row || row.begun_at <= clock.now() - SETUP_TTL) {
    throw new AppError('state_conflict', 'The QR code has expired. Please start again.')
  }
  return row
}

/**
 * Turns off two-factor sign-in. Requires both factors, so that neither a stolen password nor an open session is enough.
 * Recovery codes help users who have lost the app.
 */
export const disableTwoFactor = endpoint(
  calls.disableTwoFactor,
  securityEvent('two_factor_off', async (ctx, { password, code }) => {
    const { user } = ctx
    await assertPassword(ctx, password)
    await countCode(ctx, user.id)
    const proof = await readCode(ctx, user.id, code)
    await ctx.db.transaction().execute(async (tx) => {
      // Locks the user's row first, in the same order as signing in.
      await endChallenges(tx, user.id)
      await useUpCode(tx, user.id, proof)
      if (!(await switchTwoFactorOff(ctx, tx, user.id))) throw twoFactorOff()
    })
    await forgetWrongCodes(ctx, user.id)
    await sendQueuedMails(ctx)
    return { message: 'Two-factor sign-in is off.' }
  }),
)

/**
 * Replaces the recovery codes and returns the new ones, which are shown once. Requires both factors, like turning it
 * off.
 */
export const renewRecoveryCodes = endpoint(
  calls.renewRecoveryCodes,
  securityEvent('recovery_codes_renewed', async (ctx, { password, code }) => {
    const { user } = ctx
    await assertPassword(ctx, password)
    await countCode(ctx, user.id)
    const proof = await readCode(ctx, user.id, code)
    const recoveryCodes = await ctx.db.transaction().execute(async (tx) => {
      await useUpCode(tx, user.id, proof)
      await reportSecurityChange(ctx, tx, user.id, { change: 'recovery_codes_renewed' })
      return replaceRecoveryCodes(ctx, tx, user.id)
    })
    await forgetWrongCodes(ctx, user.id)
    await sendQueuedMails(ctx)
    return { recoveryCodes }
  }),
)
