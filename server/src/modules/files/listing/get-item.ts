import type { getItem as call } from '@alcove/contract/item-calls'
import type { Database } from '../../../platform/db/database.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { getOwnItem, listAncestors, measureFolder, presentItem } from '../../items/index.ts'

export const getItem: Operation<typeof call> = async (ctx, { id }) => {
  const item = await getOwnItem(ctx.db, ctx.user, id)
  const [path, below, blob] = await Promise.all([
    listAncestors(ctx.db, item.id),
    item.kind === 'folder' ? measure(ctx.db, item.id) : { itemCount: 0, totalSize: 0 },
    item.blob_key === null
      ? undefined
      : ctx.db.selectFrom('blobs').select('sha256').where('key', '=', item.blob_key).executeTakeFirst(),
  ])
  return { item: presentItem(item, ctx.user), path, ...below, sha256: blob?.sha256 ?? null }
}

async function measure(db: Database, folderId: string): Promise<{ itemCount: number; totalSize: number }> {
  const { folders, files, size } = await measureFolder(db, folderId)
  return { itemCount: folders + files, totalSize: size }
}
