import type { PathStep } from '@alcove/contract/items'
import { sql } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'

interface Inside {
  item: ItemRow
  /** The folders from the shared one down to the item, without it. */
  path: PathStep[]
}

/** An item that a link reaches: the shared one, or one below it that can be seen. Anything else is 'not found'. */
export async function getInside(db: Database, shared: ItemRow, id: string | undefined): Promise<Inside> {
  if (id === undefined || id === shared.id) return { item: shared, path: [] }
  // Upwards, from the item to the shared one; what hangs elsewhere ends at another root.
  const { rows } = await sql<PathStep>`
    with recursive above (id, name, parent_id, height) as (
      select id, name, parent_id, 0 from items
      where id = ${id} and owner_id = ${shared.owner_id} and trash_id is null
      union all
      select parent.id, parent.name, parent.parent_id, above.height + 1
      from above join items parent on parent.id = above.parent_id where above.id <> ${shared.id}
    )
    select id, name from above order by height desc`.execute(db)
  if (rows[0]?.id !== shared.id) throw notFound('item')
  const item = await db
    .selectFrom('items')
    .selectAll()
    .where('id', '=', id)
    .where('trash_id', 'is', null)
    .executeTakeFirst()
  if (!item) throw notFound('item')
  return { item, path: rows.slice(0, -1).map((step) => ({ id: step.id, name: step.name })) }
}
