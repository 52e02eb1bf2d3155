import type { Item } from '@alcove/contract/items'
import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'

/** Adds a member's own favorites to items of a shared folder. One statement, and none for owners. */
export async function withMarks<I extends Item>(
  db: Database,
  { member }: Pick<SessionUser, 'member'>,
  items: I[],
): Promise<I[]> {
  if (!member || items.length === 0) return items
  const ids = items.map(({ id }) => id)
  const rows = await db
    .selectFrom('member_favorites')
    .select('item_id')
    .where('user_id', '=', member.userId)
    .where(isAmong(db, 'item_id', ids))
    .execute()
  const marked = new Set(rows.map((row) => row.item_id))
  return items.map((item) => (marked.has(item.id) ? { ...item, isFavorite: true } : item))
}

/** Adds a member's own favorite mark to one item. */
export async function withMark<I extends Item>(db: Database, user: Pick<SessionUser, 'member'>, item: I): Promise<I> {
  return (await withMarks(db, user, [item]))[0] as I
}
