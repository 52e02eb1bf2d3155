import type { renameFolder as call } from '@alcove/contract/files'
import type { Operation } from '../../../platform/http/api.ts'
import { changeTree, getOwnFolder, presentFolder, renameItem } from '../../items/index.ts'

export const renameFolder: Operation<typeof call> = async (ctx, { id, newName }) => {
  const renamed = await changeTree(ctx, async (tx) =>
    renameItem(tx, await getOwnFolder(tx, ctx.user, id), newName, ctx.clock.now()),
  )
  return presentFolder(renamed, ctx.user)
}
