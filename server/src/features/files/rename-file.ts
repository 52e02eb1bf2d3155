import type { renameFile as call } from '@alcove/contract/files'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { getOwnFileByName } from '../../tree/own-item.ts'
import { presentFile } from '../../tree/present-item.ts'
import { renameItem } from '../../tree/rename-item.ts'

export const renameFile: Operation<typeof call> = async (ctx, { oldFilename, newName, folderId, isEncrypted }) => {
  const renamed = await changeTree(ctx, async (tx) => {
    const file = await getOwnFileByName(tx, ctx.user, { filename: oldFilename, folderId, isEncrypted })
    return renameItem(tx, file, newName, ctx.clock.now())
  })
  return presentFile(renamed, ctx.user)
}
