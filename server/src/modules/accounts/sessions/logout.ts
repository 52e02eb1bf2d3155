import type { logout as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'

/** Ends this session alone: the user stays signed in elsewhere. */
export const logout: Operation<typeof call> = async ({ db, user }) => {
  await db.deleteFrom('sessions').where('id', '=', user.sessionId).execute()
  return { message: 'You are signed out.' }
}
