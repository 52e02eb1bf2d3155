import type { getProfile as call } from '@alcove/contract/profile'
import type { Operation } from '../../../platform/http/api.ts'

/** Returns what others see of the user. */
export const getProfile: Operation<typeof call> = async ({ db, user }) => {
  const row = await db.selectFrom('users').select('display_name').where('id', '=', user.id).executeTakeFirstOrThrow()
  return { displayName: row.display_name ?? '' }
}
