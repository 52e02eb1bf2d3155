import type { endOtherSessions as call } from '@alcove/contract/sessions'
import type { Operation } from '../../../platform/http/api.ts'
import { endSessions } from './sessions.ts'

export const endOtherSessions: Operation<typeof call> = async ({ db, user, clock }) => {
  const count = await db.transaction().execute((tx) => endSessions(tx, user.id, clock.now(), user.sessionId))
  return { message: 'You are signed out everywhere else.', count }
}
