import type { getFolder as call } from '@alcove/contract/files'
import type { Operation } from '../../../platform/http/api.ts'
import { getOwnFolder, readFolder } from '../../items/index.ts'

export const getFolder: Operation<typeof call> = async ({ db, user }, { id }) =>
  readFolder(db, user, await getOwnFolder(db, user, id))
