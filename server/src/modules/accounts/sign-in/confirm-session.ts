import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'

/** Records that the user of this session has just confirmed who they are; throws 401 if the session ended meanwhile. */
export async function confirmSession({ user, clock }: UserContext, db: Database): Promise<void> {
  const now = clock.now()
  const confirmed = await db
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('id', '=', user.sessionId)
    .where('user_id', '=', user.id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (confirmed.numUpdatedRows === 0n) throw new AppError('unauthenticated', 'Your session has expired.')
}
