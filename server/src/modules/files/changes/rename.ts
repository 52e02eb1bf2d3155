import { calls } from '@alcove/contract/calls'
import { endpoint } from '../../../platform/http/api.ts'
import {
  changeTree,
  getOwnFile,
  getOwnFileByName,
  getOwnFolderOrMount,
  presentFile,
  presentOwnFolder,
  renameItem,
  withMark,
} from '../../items/index.ts'

export const renameFile = endpoint(calls.renameFile, async (ctx, { oldFilename, newName, fileId, ...place }) => {
  const renamed = await changeTree(ctx, async (tx) => {
    const file = fileId
      ? await getOwnFile(tx, ctx.user, fileId)
      : await getOwnFileByName(tx, ctx.user, { filename: oldFilename, ...place })
    return renameItem(tx, ctx.user, file, newName, ctx.clock.now())
  })
  return withMark(ctx.db, ctx.user, presentFile(renamed, ctx.user))
})

export const renameFolder = endpoint(calls.renameFolder, async (ctx, { id, newName }) => {
  const renamed = await changeTree(ctx, async (tx) =>
    renameItem(tx, ctx.user, await getOwnFolderOrMount(tx, ctx.user, id), newName, ctx.clock.now()),
  )
  return withMark(ctx.db, ctx.user, await presentOwnFolder(ctx, renamed))
})
