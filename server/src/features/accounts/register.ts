import type { register as call } from '@alcove/contract/accounts'
import { AppError } from '../../errors.ts'
import { isUniqueViolation } from '../../platform/db/unique-violation.ts'
import type { Operation } from '../../platform/http/api.ts'
import { hashPassword } from '../../platform/secrets/passwords.ts'
import { createUser } from '../../tree/create-user.ts'
import { queueMail, sendQueuedMails } from './mails.ts'

/** Opens an account. The unique index decides who was first with an address. */
export const register: Operation<typeof call> = async (ctx, { email, password }) => {
  const passwordHash = await hashPassword(password)
  const user = { email, passwordHash, activatedAt: null, now: ctx.clock.now() }
  try {
    await ctx.db.transaction().execute(async (tx) => {
      await queueMail(ctx, tx, 'activation mail', await createUser(tx, user))
    })
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken() : error
  }
  await sendQueuedMails(ctx)
  return { message: 'Registration successful, navigating to Login page' }
}

export function emailTaken(): AppError {
  return new AppError('email_taken', 'There is an account with this email already.')
}
