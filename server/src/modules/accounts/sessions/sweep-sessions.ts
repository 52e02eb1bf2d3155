import type { Services } from '../../../context.ts'
import { KNOWN_DEVICE_TTL } from '../sign-in/known-devices.ts'
import { SETUP_TTL } from '../two-factor/manage-two-factor.ts'

/** Removes expired sessions, app passwords, challenges, tokens and known devices. */
export async function sweepSessions({ db, clock, config }: Services): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  // A lower maximum age also applies to existing sessions.
  await db
    .deleteFrom('sessions')
    .where('created_at', '<=', now - config.sessionMaxAge)
    .execute()
  await db.deleteFrom('app_passwords').where('expires_at', '<=', now).execute()
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('challenges').where('expires_at', '<=', now).execute()
  await db.deleteFrom('oidc_flows').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('two_factor')
    .where('enabled_at', 'is', null)
    .where('begun_at', '<=', now - SETUP_TTL)
    .execute()
  await db
    .deleteFrom('known_devices')
    .where('seen_at', '<=', now - KNOWN_DEVICE_TTL)
    .execute()
}
