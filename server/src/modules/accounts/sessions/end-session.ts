import type { endSession as call } from '@alcove/contract/sessions'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { revokeGrants } from './sessions.ts'

/** Signs a browser out from afar; this one too, if it is meant. */
export const endSession: Operation<typeof call> = async ({ db, user, clock }, { id }) => {
  await db.transaction().execute(async (tx) => {
    // First, as everywhere: two that go on in another order would wait for each other.
    await revokeGrants(tx, user.id, clock.now())
    const ended = await tx.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst()
    if (ended.numDeletedRows === 0n) throw new AppError('not_found', 'This session was not found.')
  })
  return { message: 'That browser is signed out.' }
}
