import type { validatePassword as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'
import { assertResetToken } from './one-time-tokens.ts'

/** Whether a reset link is still good; asking does not use it up. */
export const validatePassword: Operation<typeof call> = async (ctx, { resetToken }) => {
  await assertResetToken(ctx, resetToken)
  return { message: 'Token is valid. You can reset your password.' }
}
