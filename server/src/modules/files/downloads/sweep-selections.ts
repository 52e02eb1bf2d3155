import type { Services } from '../../../context.ts'

/** Removes what was chosen for downloads whose address is good no more. Safe at any time. */
export async function sweepSelections({ db, clock }: Services): Promise<void> {
  await db.deleteFrom('download_selections').where('expires_at', '<=', clock.now()).execute()
}
