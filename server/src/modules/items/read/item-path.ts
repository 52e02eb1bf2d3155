import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

export interface Ancestor {
  id: string
  name: string
}

/** The folders above an item, the topmost first, without the root and the item itself. One statement, whatever the depth. */
export async function listAncestors(db: Database, itemId: string): Promise<Ancestor[]> {
  const { rows } = await sql<Ancestor>`
    with recursive ancestors (id, name, parent_id, height) as (
      select parent.id, parent.name, parent.parent_id, 1
      from items item join items parent on parent.id = item.parent_id where item.id = ${itemId}
      union all
      select parent.id, parent.name, parent.parent_id, ancestors.height + 1
      from ancestors join items parent on parent.id = ancestors.parent_id
    )
    select id, name from ancestors where parent_id is not null order by height desc`.execute(db)
  return rows
}

/** Whether `id` is `ancestorId` or lies below it. */
export async function isWithin(db: Database, id: string, ancestorId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with recursive chain (id, parent_id) as (
      select id, parent_id from items where id = ${id}
      union all
      select parent.id, parent.parent_id from chain join items parent on parent.id = chain.parent_id
    )
    select id from chain where id = ${ancestorId}`.execute(db)
  return rows.length > 0
}
