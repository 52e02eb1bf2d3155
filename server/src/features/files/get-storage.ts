import type { getStorage as call } from '@alcove/contract/files'
import type { Operation } from '../../platform/http/api.ts'

export const getStorage: Operation<typeof call> = async (ctx) => {
  const user = await ctx.db
    .selectFrom('users')
    .select(['used_bytes', 'reserved_bytes', 'allocated_bytes', 'plan_name', 'plan_id'])
    .where('id', '=', ctx.user.id)
    .executeTakeFirstOrThrow()
  const percent = user.allocated_bytes > 0 ? (user.used_bytes / user.allocated_bytes) * 100 : 100
  return { ...user, usage_percent: Math.min(100, Math.round(percent * 100) / 100) }
}
