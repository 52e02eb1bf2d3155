import type { Item } from '@alcove/contract/items'
import { MAX_ITEM_COUNT } from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { Services } from '../../../context.ts'
import { isAmong } from '../../../platform/db/text-list.ts'

/**
 * Adds to the folders of a list how many items are directly in them, along the index of the tree. Counting ends one beyond
 * `MAX_ITEM_COUNT`, so that a page of huge folders costs no more than reading a few pages. One statement, and none
 * without folders.
 */
export async function withItemCounts<I extends Item>({ db }: Pick<Services, 'db'>, items: I[]): Promise<I[]> {
  const ids = items.filter(({ type }) => type === 'folder').map(({ id }) => id)
  if (ids.length === 0) return items
  const { rows } = await sql<{ id: string; total: number | string }>`
    select folders.id, (
      select count(*) from (
        select 1 from items inside where inside.parent_id = folders.id and inside.trashed_at is null
        limit ${MAX_ITEM_COUNT + 1}
      ) counted
    ) as total
    from items folders where ${isAmong(db, 'folders.id', ids)}`.execute(db)
  const totals = new Map(rows.map(({ id, total }) => [id, Number(total)]))
  return items.map((item) => (item.type === 'folder' ? { ...item, itemCount: totals.get(item.id) ?? 0 } : item))
}
