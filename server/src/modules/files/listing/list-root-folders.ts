import type { listRootFolders as call } from '@alcove/contract/files'
import type { Operation } from '../../../platform/http/api.ts'
import { listChildren, presentFolder } from '../../items/index.ts'

export const listRootFolders: Operation<typeof call> = async ({ db, user }) => {
  const folders = await listChildren(db, { id: user.driveRootId, area: 'drive' }, 'folder')
  return folders.map((row) => presentFolder(row, user))
}
