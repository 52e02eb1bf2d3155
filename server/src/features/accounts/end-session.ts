import type { endSession as call } from '@alcove/contract/sessions'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'

/** Signs a browser out from afar; this one too, if it is meant. */
export const endSession: Operation<typeof call> = async ({ db, user }, { id }) => {
  const ended = await db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst()
  if (ended.numDeletedRows === 0n) throw new AppError('not_found', 'This session was not found.')
  return { message: 'That browser is signed out.' }
}
