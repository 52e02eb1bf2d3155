import type { Services } from '../../context.ts'

/** Removes the sessions and one-time tokens that have expired: nothing can be done with them any more. */
export async function sweepSessions({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute()
}
