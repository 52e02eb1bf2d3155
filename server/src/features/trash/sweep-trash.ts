import type { Services } from '../../context.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { deleteTrashed } from '../../tree/delete-items.ts'

/** Deletes for good what has been in the trash for too long. Safe at any time. */
export async function sweepTrash(services: Services): Promise<void> {
  const { db, clock, config } = services
  const trashedBy = clock.now() - config.trashRetention
  const due = await db.selectFrom('items').select('owner_id').where('trashed_at', '<=', trashedBy).execute()
  for (const id of new Set(due.map((row) => row.owner_id))) {
    await changeTree({ db, user: { id } }, (tx) => deleteTrashed(services, tx, id, { trashedBy }))
  }
}
