import type { Services } from '../../../context.ts'
import { REMEMBER_DEVICE } from '../sign-in/known-devices.ts'
import { BEGUN_TTL } from '../two-factor/enable-two-factor.ts'

/** Removes what has expired of sessions and of steps towards one: nothing can be done with it any more. */
export async function sweepSessions({ db, clock, config }: Services): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  // A lower maximum age takes effect on sessions that have begun already.
  await db
    .deleteFrom('sessions')
    .where('created_at', '<=', now - config.sessionMaxAge)
    .execute()
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('challenges').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('two_factor')
    .where('enabled_at', 'is', null)
    .where('begun_at', '<=', now - BEGUN_TTL)
    .execute()
  await db
    .deleteFrom('known_devices')
    .where('seen_at', '<=', now - REMEMBER_DEVICE)
    .execute()
}
