import type { activate as call } from '@alcove/contract/accounts'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { consumeToken } from './one-time-tokens.ts'

export const activate: Operation<typeof call> = async ({ db, clock }, { token }) => {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const userId = await consumeToken(tx, 'activation', token, now)
    if (userId === undefined) throw new AppError('invalid_token', 'This activation link is invalid or has expired.')
    await tx.updateTable('users').set({ activated_at: now }).where('id', '=', userId).execute()
  })
  return { message: 'Your account has been successfully activated!' }
}
