import type { listTrash as call } from '@alcove/contract/trash'
import type { Operation } from '../../platform/http/api.ts'
import { presentFile, presentFolder, readFolderPaths } from '../items/index.ts'

const DAY = 86_400_000

export const listTrash: Operation<typeof call> = async ({ db, user, clock, config }) => {
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where('trashed_at', 'is not', null)
    .orderBy('trashed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const folderIds = new Set(rows.map(({ parent_id }) => parent_id as string))
  const paths = await readFolderPaths(db, [...folderIds])
  const items = rows.map((row) => {
    const trashedAt = row.trashed_at as number
    const left = trashedAt + config.trashRetention - clock.now()
    const trashed = {
      deleted_at: new Date(trashedAt).toISOString(),
      originalPath: paths.get(row.parent_id as string) || '/',
      daysLeft: Math.max(0, Math.ceil(left / DAY)),
    }
    return { row, trashed }
  })
  return {
    files: items
      .filter(({ row }) => row.kind === 'file')
      .map(({ row, trashed }) => ({ ...presentFile(row, user), ...trashed })),
    folders: items
      .filter(({ row }) => row.kind === 'folder')
      .map(({ row, trashed }) => ({ ...presentFolder(row, user), ...trashed })),
  }
}
