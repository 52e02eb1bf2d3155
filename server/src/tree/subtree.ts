import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { ItemRow } from '../platform/db/tables.ts'

/**
 * Puts an item into the trash: it leaves its name free, and all that is visible below it is hidden with it, under its
 * id. What was trashed by itself before keeps its own. One statement each, however much lies below.
 */
export async function hideInTrash(tx: Tx, item: ItemRow, now: number): Promise<void> {
  await tx.updateTable('items').set({ trashed_at: now, trash_id: item.id }).where('id', '=', item.id).execute()
  if (item.kind === 'file') return
  await sql`
    with recursive below (id) as (
      select id from items where parent_id = ${item.id} and trash_id is null
      union all
      select child.id from below join items child on child.parent_id = below.id where child.trash_id is null
    )
    update items set trash_id = ${item.id} where id in (select id from below)`.execute(tx)
}
