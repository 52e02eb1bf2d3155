import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { changeTree, deleteTrashed, isUnprotected } from '../items/index.ts'

/** Permanently deletes items that have been in the trash for too long. Safe to run at any time. */
export async function sweepTrash(services: Services): Promise<void> {
  const { db, events, clock, config } = services
  const sparingAt = clock.now()
  const trashedBy = sparingAt - config.trashRetention
  const due = await listOwnersWithTrash(db, { trashedBy, sparingAt })
  for (const { id } of due) {
    await changeTree({ db, events, user: { id } }, (tx) => deleteTrashed(services, tx, id, { trashedBy, sparingAt }))
  }
}

/** Queries the index once per owner, because it orders each owner's trash by age. */
function listOwnersWithTrash(
  db: Database,
  { trashedBy, sparingAt }: { trashedBy: number; sparingAt: number },
): Promise<{ id: string }[]> {
  return db
    .selectFrom('users')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('items')
          .select('items.id')
          .whereRef('items.owner_id', '=', 'users.id')
          .where('items.trashed_at', '<=', trashedBy)
          .where(isUnprotected(sparingAt)),
      ),
    )
    .execute()
}
