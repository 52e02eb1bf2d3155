import type { restoreFile as fileCall, restoreFolder as folderCall } from '@alcove/contract/trash'
import type { UserContext } from '../../context.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { bringBackFromTrash, changeTree, getOwnTrashed, presentFile, presentFolder } from '../items/index.ts'

export const restoreFile: Operation<typeof fileCall> = async (ctx, { id }) =>
  presentFile(await restoreItem(ctx, id, 'file'), ctx.user)

export const restoreFolder: Operation<typeof folderCall> = async (ctx, { id }) =>
  presentFolder(await restoreItem(ctx, id, 'folder'), ctx.user)

function restoreItem(ctx: UserContext, id: string, kind: ItemRow['kind']): Promise<ItemRow> {
  return changeTree(ctx, async (tx) => {
    await bringBackFromTrash(tx, ctx.user, [await getOwnTrashed(tx, ctx.user, id, kind)])
    return tx.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
}
