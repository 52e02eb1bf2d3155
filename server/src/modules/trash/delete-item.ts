import type { deleteFile as fileCall, deleteFolder as folderCall } from '@alcove/contract/trash'
import type { UserContext } from '../../context.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree, deleteTrashed, getOwnTrashed } from '../items/index.ts'

export const deleteFile: Operation<typeof fileCall> = async (ctx, { id }) => {
  await deleteItem(ctx, id, 'file')
  return { message: 'File permanently deleted.' }
}

export const deleteFolder: Operation<typeof folderCall> = async (ctx, { id }) => {
  await deleteItem(ctx, id, 'folder')
  return { message: 'Folder permanently deleted.' }
}

function deleteItem(ctx: UserContext, id: string, kind: ItemRow['kind']): Promise<void> {
  return changeTree(ctx, async (tx) => {
    const item = await getOwnTrashed(tx, ctx.user, id, kind)
    await deleteTrashed(ctx, tx, ctx.user.id, { ids: [item.id] })
  })
}
