import { sql } from 'kysely'
import type { SessionUser } from '../context.ts'
import type { Tx } from '../platform/db/database.ts'
import type { ItemRow } from '../platform/db/tables.ts'
import { findFreeName } from './insert-item.ts'
import { nameKey, sortKey } from './names.ts'
import { rootIdOf } from './own-item.ts'

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

/**
 * Takes an item that was trashed by itself out of the trash, and with it all that went there with it. It comes back
 * where it was, or at the root of its area if that folder is gone or hidden itself; where its name is taken meanwhile,
 * as `name (1).ext`. One statement each, however much lies below. The user's tree must be locked.
 */
export async function bringBackFromTrash(tx: Tx, user: SessionUser, item: ItemRow): Promise<ItemRow> {
  const parentId = await findPlace(tx, user, item)
  const name = await findFreeName(tx, parentId, item.name)
  const restored = await tx
    .updateTable('items')
    .set({
      parent_id: parentId,
      name,
      name_key: nameKey(name),
      sort_key: sortKey(name),
      trashed_at: null,
      trash_id: null,
    })
    .where('id', '=', item.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (item.kind === 'folder') {
    await tx.updateTable('items').set({ trash_id: null }).where('trash_id', '=', item.id).execute()
  }
  return restored
}

/** The folder that an item lies in if that can be seen, else the root of its area. */
async function findPlace(tx: Tx, user: SessionUser, item: ItemRow): Promise<string> {
  const parent = await tx
    .selectFrom('items')
    .select('id')
    .where('id', '=', item.parent_id)
    .where('trash_id', 'is', null)
    .executeTakeFirst()
  return parent?.id ?? rootIdOf(user, item.area)
}
