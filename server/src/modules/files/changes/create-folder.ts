import { calls } from '@alcove/contract/calls'
import { AppError } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  addFolder,
  assertDepthBelow,
  assertMayAddTo,
  changeTree,
  getOwnPlace,
  noteActivity,
  presentFolder,
} from '../../items/index.ts'

export const createFolder = endpoint(calls.createFolder, async (ctx, { folderName, parentFolderId, isEncrypted }) => {
  const area = isEncrypted ? 'vault' : 'drive'
  const created = await changeTree(ctx, async (tx) => {
    const parent = await getOwnPlace(tx, ctx.user, parentFolderId, area)
    // Without the flag the folder goes where its parent is; with it, the parent must be in that area.
    if (isEncrypted !== undefined && parent.area !== area) {
      throw new AppError('state_conflict', "You can't mix your files and the vault. Choose a folder in the same area.")
    }
    assertMayAddTo(parent.area, ctx.user)
    await assertDepthBelow(tx, parent.id, 1)
    const folder = await addFolder(ctx, tx, parent, folderName)
    const noted = { folderId: parent.id, folderName: parent.name, items: [folder], now: ctx.clock.now() }
    noteActivity(tx, ctx.user, { action: 'added', ...noted })
    return folder
  })
  return presentFolder(created, ctx.user)
})
