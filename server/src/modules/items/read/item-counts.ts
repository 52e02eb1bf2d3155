import type { Item } from '@alcove/contract/items'
import { MAX_ITEM_COUNT } from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { isGuest } from '../reach.ts'

/**
 * Adds to each folder of a list the number of items directly in it, using the index of the tree. Counting stops at one
 * more than `MAX_ITEM_COUNT`, so that a page of huge folders costs no more than reading a few pages. One statement, or
 * none if there are no folders.
 */
export async function withItemCounts<I extends Item>(
  { db, user }: Pick<UserContext, 'db' | 'user'>,
  items: I[],
): Promise<I[]> {
  const ids = items.filter(({ type }) => type === 'folder').map(({ id }) => id)
  if (ids.length === 0) return items
  const totals = await countItemsIn(db, ids, isGuest(user))
  return items.map((item) => (item.type === 'folder' ? { ...item, itemCount: totals.get(item.id) ?? 0 } : item))
}

/** Counts the items directly in each of these folders, as `withItemCounts` does. Guests don't see mounts. */
export async function countItemsIn(
  db: Database,
  ids: readonly string[],
  forGuest: boolean,
): Promise<Map<string, number>> {
  const mounts = sql`(select count(*) from members join items mounts on mounts.mount_of = members.id
    where members.user_id = folders.owner_id and mounts.parent_id = folders.id and mounts.trashed_at is null)`
  const { rows } = await sql<{ id: string; total: number | string }>`
    select folders.id, (
      select count(*) from (
        select 1 from items inside where inside.parent_id = folders.id and inside.trashed_at is null
        limit ${MAX_ITEM_COUNT + 1}
      ) counted
    ) ${forGuest ? sql`- ${mounts}` : sql``} as total
    from items folders where ${isAmong(db, 'folders.id', ids)}`.execute(db)
  return new Map(rows.map(({ id, total }) => [id, Number(total)]))
}
