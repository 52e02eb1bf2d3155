import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { textTable } from '../../../platform/db/text-list.ts'
import { nameColumns } from '../names.ts'

export const NAME_COLUMNS = ['name', 'name_key', 'sort_key', 'extension'] as const

/** Sets the folder and name of many items at once. The names must be free. One statement. */
export async function placeItems(
  tx: Tx,
  placed: readonly { id: string; parentId: string; name: string }[],
  alsoSet: RawBuilder<unknown> = sql``,
): Promise<void> {
  if (placed.length === 0) return
  const rows = placed.map(({ id, parentId, name }) => ({ id, parent_id: parentId, ...nameColumns(name) }))
  await sql`
    update items set parent_id = given.parent_id, name = given.name, name_key = given.name_key,
      sort_key = given.sort_key, extension = given.extension ${alsoSet}
    from ${textTable(tx, ['id', 'parent_id', ...NAME_COLUMNS], rows)} as given
    where items.id = given.id`.execute(tx)
}
