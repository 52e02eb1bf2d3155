import { ACTIVATION_TTL } from '@alcove/contract/limits'
import type { Services } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { deleteUser } from '../deletion/delete-user.ts'

/** Accounts removed per run. */
const BATCH = 200

/**
 * Removes accounts that were never activated once their activation link has expired, so that nobody's address stays
 * taken by someone else. Accounts that ever had a confirmed address are kept. Safe to run at any time.
 */
export async function sweepAccounts(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const expired = await neverActivated(db, now).select('id').orderBy('created_at').limit(BATCH).execute()
  for (const { id } of expired) {
    // Skips an account that was activated or registered again in the meantime.
    const released = await db
      .updateTable('users')
      .set((eb) => ({ email: eb.ref('id') }))
      .where('id', 'in', neverActivated(db, now).select('id').where('id', '=', id))
      .executeTakeFirst()
    if (released.numUpdatedRows > 0n) await deleteUser(services, id)
  }
}

/** Finds accounts without a confirmed address whose activation links have all expired. */
function neverActivated(db: Database, now: number) {
  return db
    .selectFrom('users')
    .where('confirmed_email', 'is', null)
    .where('email_changed_at', 'is', null)
    .where('activated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('created_at', '<', now - ACTIVATION_TTL)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('one_time_tokens')
            .select('one_time_tokens.user_id')
            .whereRef('one_time_tokens.user_id', '=', 'users.id')
            .where('one_time_tokens.expires_at', '>', now),
        ),
      ),
    )
}
