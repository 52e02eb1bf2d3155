import type { listVaultFiles as filesCall, listVaultFolders as foldersCall } from '@alcove/contract/vault'
import type { Operation } from '../../platform/http/api.ts'
import { listChildren, presentFile, presentFolder } from '../items/index.ts'

export const listVaultFiles: Operation<typeof filesCall> = async ({ db, user }) => {
  const files = await listChildren(db, { id: user.vaultRootId, area: 'vault' }, 'file')
  return files.map((row) => presentFile(row, user))
}

export const listVaultFolders: Operation<typeof foldersCall> = async ({ db, user }) => {
  const folders = await listChildren(db, { id: user.vaultRootId, area: 'vault' }, 'folder')
  return folders.map((row) => presentFolder(row, user))
}
