import type { Database } from '../db/database.ts'

/** When a user was last seen is recorded at most this often, so that reads seldom cause a write. */
const RECORDED_EVERY = 10 * 60_000

/** Records that a user was here, for the administrators' list of users. */
export async function noteSeen(db: Database, userId: string, now: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: now })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', now - RECORDED_EVERY)]))
    .execute()
}
