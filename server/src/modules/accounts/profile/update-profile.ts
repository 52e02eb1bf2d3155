import type { updateProfile as call } from '@alcove/contract/profile'
import type { Operation } from '../../../platform/http/api.ts'

/** Sets the user's display name; the empty text removes it. */
export const updateProfile: Operation<typeof call> = async ({ db, user }, { displayName }) => {
  await db
    .updateTable('users')
    .set({ display_name: displayName || null })
    .where('id', '=', user.id)
    .execute()
  return { displayName }
}
