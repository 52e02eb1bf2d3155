import type { listRootFolders as call } from '@alcove/contract/files'
import type { Operation } from '../../platform/http/api.ts'
import { presentFolder } from '../../tree/present-item.ts'
import { listChildren } from '../../tree/read-folder.ts'

export const listRootFolders: Operation<typeof call> = async ({ db, user }) => {
  const folders = await listChildren(db, { id: user.driveRootId, area: 'drive' }, 'folder')
  return folders.map((row) => presentFolder(row, user))
}
