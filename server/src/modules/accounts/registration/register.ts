import { calls } from '@alcove/contract/calls'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { hashPassword, isPassword } from '../../../platform/crypto/passwords.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { countMail } from '../sign-in/attempts.ts'
import { assertGoodPassword } from '../sign-in/check-password.ts'
import { assertPasswordsOn } from '../single-sign-on/providers.ts'
import { createUser, findUserByEmail } from '../users.ts'
import { type Claim, createClaim, dropEarlierAccess } from './claim-address.ts'
import { assertMayRegister } from './sign-up.ts'

/**
 * Creates an account. The unique index decides who gets an address. A new registration replaces an account that was
 * never activated. Otherwise, someone who registers a stranger's address could lock out its owner or choose the
 * password.
 */
export const register = endpoint(calls.register, async (ctx, { email, password }) => {
  await assertPasswordsOn(ctx)
  await assertMayRegister(ctx, email)
  await assertGoodPassword(password, email)
  const passwordHash = await hashPassword(password)
  const { claim, proof } = createClaim(ctx)
  const now = ctx.clock.now()
  try {
    await ctx.db.transaction().execute(async (tx) => {
      const id = await createUser(ctx, tx, { email, passwordHash, activatedAt: null, now })
      await tx.updateTable('users').set(claim).where('id', '=', id).execute()
      await queueMail(ctx, tx, 'activation mail', id, {})
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await replaceNeverActivated(ctx, email, password, { passwordHash, claim })
  }
  logSecurity(ctx, 'registered', { account: email })
  await sendQueuedMails(ctx)
  return { message: 'Registration successful, navigating to Login page', proof }
})

/** Replaces an account that was never activated. Throws 'email taken' for any other account. */
async function replaceNeverActivated(
  ctx: Context,
  email: string,
  password: string,
  { passwordHash, claim }: { passwordHash: string; claim: Claim },
): Promise<void> {
  const before = await findUserByEmail(ctx.db, email)
  if (!before || before.confirmed_email !== null || before.email_changed_at !== null) throw emailTaken()
  // The same request was sent twice, or the mail was lost. Nothing has to be replaced.
  if (await isPassword(password, before.password_hash)) throw emailTaken()
  await countMail(ctx, 'activation', email)
  await ctx.db.transaction().execute(async (tx) => {
    const replaced = await tx
      .updateTable('users')
      .set({ ...claim, password_hash: passwordHash, created_at: ctx.clock.now() })
      .where('id', '=', before.id)
      .where('email', '=', email)
      .where('confirmed_email', 'is', null)
      .where('email_changed_at', 'is', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (replaced.numUpdatedRows === 0n) throw emailTaken()
    await tx.deleteFrom('one_time_tokens').where('user_id', '=', before.id).execute()
    await dropEarlierAccess(tx, before.id, ctx.clock.now())
    await queueMail(ctx, tx, 'activation mail', before.id, {})
  })
}

export function emailTaken(): AppError {
  return new AppError('email_taken', 'An account with this email already exists.')
}

/** Sends the activation mail again. The response doesn't reveal whether the account exists. */
export const resendActivation = endpoint(calls.resendActivation, async (ctx, { email }) => {
  await countMail(ctx, 'activation', email)
  const user = await findUserByEmail(ctx.db, email)
  await ctx.db.transaction().execute((tx) => queueMail(ctx, tx, 'activation mail', user?.id, {}))
  await sendQueuedMails(ctx)
  return { message: 'Activation email sent. Check your inbox.' }
})
