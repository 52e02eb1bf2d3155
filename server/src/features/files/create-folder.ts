import type { createFolder as call } from '@alcove/contract/files'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { assertDepthBelow } from '../../tree/depth.ts'
import { addFolder } from '../../tree/insert-item.ts'
import { getOwnPlace } from '../../tree/own-item.ts'
import { presentFolder } from '../../tree/present-item.ts'
import { assertMayAddTo } from '../../tree/vault-plan.ts'

export const createFolder: Operation<typeof call> = async (ctx, { folderName, parentFolderId, isEncrypted }) => {
  const area = isEncrypted ? 'vault' : 'drive'
  const created = await changeTree(ctx, async (tx) => {
    const parent = await getOwnPlace(tx, ctx.user, parentFolderId, area)
    // Without the flag the folder goes where its parent is; with it, the parent must be in that area.
    if (isEncrypted !== undefined && parent.area !== area) {
      throw new AppError('state_conflict', 'The drive and the vault are apart: choose a folder of the same one.')
    }
    assertMayAddTo(parent.area, ctx.user)
    await assertDepthBelow(tx, parent.id, 1)
    return addFolder(ctx, tx, parent, folderName)
  })
  return presentFolder(created, ctx.user)
}
