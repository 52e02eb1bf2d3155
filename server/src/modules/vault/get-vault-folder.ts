import type { getVaultFolder as call } from '@alcove/contract/vault'
import { notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { getOwnFolder, readFolder } from '../items/index.ts'

export const getVaultFolder: Operation<typeof call> = async ({ db, user }, { folderId }) => {
  const folder = await getOwnFolder(db, user, folderId)
  if (folder.area !== 'vault') throw notFound('folder')
  return readFolder(db, user, folder)
}
