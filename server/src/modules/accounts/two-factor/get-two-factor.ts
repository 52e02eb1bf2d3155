import type { getTwoFactor as call } from '@alcove/contract/two-factor'
import type { Operation } from '../../../platform/http/api.ts'
import { formatTime } from '../../../platform/iso-time.ts'

export const getTwoFactor: Operation<typeof call> = async ({ db, user }) => {
  const row = await db.selectFrom('two_factor').select('enabled_at').where('user_id', '=', user.id).executeTakeFirst()
  const enabledAt = row?.enabled_at ?? null
  if (enabledAt === null) return { isEnabled: false, enabledAt: null, recoveryCodesLeft: 0 }
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll().as('left'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return { isEnabled: true, enabledAt: formatTime(enabledAt), recoveryCodesLeft: Number(left) }
}
