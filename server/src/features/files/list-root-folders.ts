import type { listRootFolders as call } from '@alcove/contract/files'
import type { Operation } from '../../platform/http/api.ts'
import { presentFolder } from '../../tree/present-item.ts'
import { listChildren } from './queries.ts'

export const listRootFolders: Operation<typeof call> = async (ctx) => {
  const folders = await listChildren(ctx.db, ctx.user.driveRootId, 'folder')
  return folders.map((row) => presentFolder(row, ctx.user))
}
