import type { getItem as call } from '@alcove/contract/item-calls'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isOneOf } from '../../platform/db/text-list.ts'
import type { Operation } from '../../platform/http/api.ts'
import { listAncestors } from '../../tree/item-path.ts'
import { getOwnItem } from '../../tree/own-item.ts'
import { presentItem } from '../../tree/present-item.ts'

export const getItem: Operation<typeof call> = async (ctx, { id }) => {
  const item = await getOwnItem(ctx.db, ctx.user, id)
  const [path, below, blob] = await Promise.all([
    listAncestors(ctx.db, item.id),
    item.kind === 'folder' ? measureFolder(ctx.db, item.id) : { itemCount: 0, totalSize: 0 },
    item.blob_key === null
      ? undefined
      : ctx.db.selectFrom('blobs').select('sha256').where('key', '=', item.blob_key).executeTakeFirst(),
  ])
  return { item: presentItem(item, ctx.user), path, ...below, sha256: blob?.sha256 ?? null }
}

/** What is visible below a folder, at any depth. One statement, which walks through the folders alone. */
async function measureFolder(db: Database, folderId: string): Promise<{ itemCount: number; totalSize: number }> {
  const { rows } = await sql<{ count: number; size: number | null }>`
    with recursive folders (id) as (
      select id from items where id = ${folderId}
      union all
      select child.id from folders join items child on child.parent_id = folders.id and child.kind = 'folder'
      where child.trash_id is null
    )
    select count(*) as count, sum(size) as size from items
    where ${isOneOf(db, 'parent_id', sql`select id from folders`)} and trash_id is null`.execute(db)
  // PostgreSQL gives sums as text.
  return { itemCount: Number(rows[0]?.count ?? 0), totalSize: Number(rows[0]?.size ?? 0) }
}
