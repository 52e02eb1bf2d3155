import type { getItem as call } from '@alcove/contract/item-calls'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/text-list.ts'
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
  const { count, size } = await db
    .selectFrom('items')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('size').as('size')])
    .where(
      isAmong(
        db,
        'parent_id',
        folders.map(({ id }) => id),
      ),
    )
    .where('trash_id', 'is', null)
    .executeTakeFirstOrThrow()
  // PostgreSQL gives sums as text; there is none where nothing is.
  return { itemCount: Number(count), totalSize: Number(size ?? 0) }
}
