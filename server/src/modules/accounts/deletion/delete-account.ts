import type { deleteAccount as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'
import { deleteUser } from './delete-user.ts'

/** Deletes the account at once and for good: there is nothing left to sign in to. */
export const deleteAccount: Operation<typeof call> = async (ctx) => {
  await deleteUser(ctx, ctx.user.id)
  return { message: 'Your account has been deleted.' }
}
