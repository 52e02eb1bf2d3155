import type { renameFile as call } from '@alcove/contract/files'
import type { Operation } from '../../../platform/http/api.ts'
import { changeTree, getOwnFileByName, presentFile, renameItem } from '../../items/index.ts'

export const renameFile: Operation<typeof call> = async (ctx, { oldFilename, newName, folderId, isEncrypted }) => {
  const renamed = await changeTree(ctx, async (tx) => {
    const file = await getOwnFileByName(tx, ctx.user, { filename: oldFilename, folderId, isEncrypted })
    return renameItem(tx, file, newName, ctx.clock.now())
  })
  return presentFile(renamed, ctx.user)
}
