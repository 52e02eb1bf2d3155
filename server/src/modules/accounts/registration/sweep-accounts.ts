import { ACTIVATION_TTL } from '@alcove/contract/limits'
import type { Services } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { deleteUser } from '../deletion/delete-user.ts'

/** How many accounts one look removes; the next look goes on. */
const BATCH = 200

/**
 * Removes accounts that were never activated once the link of their mail has expired, so that nobody's address stays
 * taken by somebody else. An account that has had a confirmed address is never among them. Safe at any time.
 */
export async function sweepAccounts(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const expired = await neverActivated(db, now).select('id').orderBy('created_at').limit(BATCH).execute()
  for (const { id } of expired) {
    // The address is given up only where nobody has activated the account, or registered again, in the meantime.
    const given = await db
      .updateTable('users')
      .set((eb) => ({ email: eb.ref('id') }))
      .where('id', 'in', neverActivated(db, now).select('id').where('id', '=', id))
      .executeTakeFirst()
    if (given.numUpdatedRows > 0n) await deleteUser(services, id)
  }
}

/** Accounts without a confirmed address, no link to which is good any more. */
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
