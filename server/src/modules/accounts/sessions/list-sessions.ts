import type { listSessions as call } from '@alcove/contract/sessions'
import type { Operation } from '../../../platform/http/api.ts'
import { formatTime } from '../../../platform/iso-time.ts'

export const listSessions: Operation<typeof call> = async ({ db, user, clock }) => {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'ip', 'created_at', 'last_used_at'])
    .where('user_id', '=', user.id)
    .where('expires_at', '>', clock.now())
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
  const sessions = rows.map(({ id, device, ip, created_at, last_used_at }) => ({
    id,
    device,
    ip,
    createdAt: formatTime(created_at),
    lastUsedAt: formatTime(last_used_at),
    isCurrent: id === user.sessionId,
  }))
  return { sessions: sessions.sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent)) }
}
