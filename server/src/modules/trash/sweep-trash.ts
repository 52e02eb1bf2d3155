import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { byIndex } from '../../platform/db/portable-sql.ts'
import { changeTree, deleteTrashed } from '../items/index.ts'

/** Deletes for good what has been in the trash for too long. Safe at any time. */
export async function sweepTrash(services: Services): Promise<void> {
  const { db, clock, config } = services
  const trashedBy = clock.now() - config.trashRetention
  const due = await byIndex(db, (reading) => listOwnersWithTrash(reading, trashedBy))
  for (const { id } of due) {
    await changeTree({ db, user: { id } }, (tx) => deleteTrashed(services, tx, id, { trashedBy }))
  }
}

/** Asks the index of owners once for each of them: it has the trash of each by age. */
function listOwnersWithTrash(db: Database, trashedBy: number): Promise<{ id: string }[]> {
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
          .where('items.trashed_at', '<=', trashedBy),
      ),
    )
    .execute()
}
