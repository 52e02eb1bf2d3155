import type { register as call } from '@alcove/contract/accounts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { isUniqueViolation } from '../../../platform/db/unique-violation.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { hashPassword, isPassword } from '../../../platform/secrets/passwords.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { queueMail, sendQueuedMails } from '../mails.ts'
import { findUserByEmail } from '../queries.ts'
import { assertGoodPassword } from '../sign-in/assert-good-password.ts'
import { countMail } from '../sign-in/attempts.ts'
import { type Claim, createClaim, dropEarlierAccess } from './claim-address.ts'
import { createUser } from './create-user.ts'

/**
 * Opens an account. The unique index decides who was first with an address. An account that was never activated gives way
 * to a new registration: whoever claimed a stranger's address must not keep its owner out, nor choose the password.
 */
export const register: Operation<typeof call> = async (ctx, { email, password }) => {
  await assertGoodPassword(password, email)
  const passwordHash = await hashPassword(password)
  const { claim, proof } = createClaim(ctx)
  const now = ctx.clock.now()
  try {
    await ctx.db.transaction().execute(async (tx) => {
      const id = await createUser(tx, { email, passwordHash, activatedAt: null, now })
      await tx.updateTable('users').set(claim).where('id', '=', id).execute()
      await queueMail(ctx, tx, 'activation mail', id)
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await replaceNeverActivated(ctx, email, password, { passwordHash, claim })
  }
  logSecurity(ctx, 'registered', { account: email })
  await sendQueuedMails(ctx)
  return { message: 'Registration successful, navigating to Login page', proof }
}

/** Registers again in place of an account that was never activated; throws 'email taken' of any other. */
async function replaceNeverActivated(
  ctx: Context,
  email: string,
  password: string,
  { passwordHash, claim }: { passwordHash: string; claim: Claim },
): Promise<void> {
  const before = await findUserByEmail(ctx.db, email)
  if (!before || before.confirmed_email !== null || before.email_changed_at !== null) throw emailTaken()
  // Sent twice, or by somebody who has lost the mail and can have it sent again: there is nothing to replace.
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
    await queueMail(ctx, tx, 'activation mail', before.id)
  })
}

export function emailTaken(): AppError {
  return new AppError('email_taken', 'There is an account with this email already.')
}
