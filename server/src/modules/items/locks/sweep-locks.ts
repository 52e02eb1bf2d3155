import type { Services } from '../../../context.ts'

/** Deletes locks that have expired. They have no effect any more. */
export async function sweepLocks({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await db.deleteFrom('locks').where('expires_at', '<=', clock.now()).execute()
}
