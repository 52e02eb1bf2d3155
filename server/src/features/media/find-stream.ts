import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'

/** What of a user can be played: music and video that are visible. What lies in the vault is ciphertext, which nothing plays. */
export function findStream(db: Database, ownerId: string, id: string): Promise<ItemRow | undefined> {
  return db
    .selectFrom('items')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('media', 'is not', null)
    .where('trash_id', 'is', null)
    .executeTakeFirst()
}
