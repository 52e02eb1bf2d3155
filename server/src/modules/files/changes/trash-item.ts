import type { trashFile as fileCall, trashFolder as folderCall } from '@alcove/contract/files'
import type { Operation } from '../../../platform/http/api.ts'
import { changeTree, getOwnFile, getOwnFolder, hideInTrash } from '../../items/index.ts'

export const trashFile: Operation<typeof fileCall> = async (ctx, { id }) => {
  await changeTree(ctx, async (tx) => hideInTrash(tx, [await getOwnFile(tx, ctx.user, id)], ctx.clock.now()))
  return { message: 'File deleted successfully.' }
}

export const trashFolder: Operation<typeof folderCall> = async (ctx, { id }) => {
  await changeTree(ctx, async (tx) => hideInTrash(tx, [await getOwnFolder(tx, ctx.user, id)], ctx.clock.now()))
  return { message: 'Folder deleted successfully.' }
}
