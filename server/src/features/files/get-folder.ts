import type { getFolder as call } from '@alcove/contract/files'
import type { Operation } from '../../platform/http/api.ts'
import { listAncestors } from '../../tree/item-path.ts'
import { getOwnFolder } from '../../tree/own-item.ts'
import { presentFile, presentFolder, withoutRoot } from '../../tree/present-item.ts'
import { listChildren } from './queries.ts'

export const getFolder: Operation<typeof call> = async (ctx, { id }) => {
  const folder = await getOwnFolder(ctx.db, ctx.user, id)
  const [path, folders, files] = await Promise.all([
    listAncestors(ctx.db, folder.id),
    listChildren(ctx.db, folder.id, 'folder'),
    listChildren(ctx.db, folder.id, 'file'),
  ])
  return {
    id: folder.id,
    name: folder.name,
    parentId: withoutRoot(folder.parent_id, ctx.user),
    path,
    subFolders: folders.map((row) => presentFolder(row, ctx.user)),
    files: files.map((row) => presentFile(row, ctx.user)),
  }
}
