import type { activate as call } from '@alcove/contract/accounts'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { consumeToken } from './one-time-tokens.ts'

export const activate: Operation<typeof call> = async ({ db, clock }, { token }) => {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const used = await consumeToken(tx, 'activation', token, now)
    if (!used) throw invalidActivationToken()
    const activated = await tx
      .updateTable('users')
      .set({ activated_at: now })
      .where('id', '=', used.userId)
      .where('email', '=', used.email)
      .executeTakeFirst()
    if (activated.numUpdatedRows === 0n) throw invalidActivationToken()
  })
  return { message: 'Your account has been successfully activated!' }
}

function invalidActivationToken(): AppError {
  return new AppError('invalid_token', 'This activation link is invalid or has expired.')
}
