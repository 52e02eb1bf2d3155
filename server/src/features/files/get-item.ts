import type { getItem as call } from '@alcove/contract/item-calls'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { textTable } from '../../platform/db/text-list.ts'
import type { Operation } from '../../platform/http/api.ts'
import { listFoldersBelow } from '../../tree/folders-below.ts'
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

/** What is visible below a folder, at any depth. Two statements, however much that is. */
async function measureFolder(db: Database, folderId: string): Promise<{ itemCount: number; totalSize: number }> {
  const folders = await listFoldersBelow(db, [folderId])
  const { rows } = await sql<{ count: number; size: number | null }>`
    select count(*) as count, sum(items.size) as size from ${textTable(db, ['id'], folders)} as given
    join items on items.parent_id = given.id where items.trash_id is null`.execute(db)
  // PostgreSQL gives sums as text; there is none where nothing is.
  return { itemCount: Number(rows[0]?.count), totalSize: Number(rows[0]?.size ?? 0) }
}
