import type { deleteItems as call } from '@alcove/contract/trash'
import type { Operation } from '../../platform/http/api.ts'
import { presentChanged } from '../../tree/bulk-change.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { listTrashed } from '../../tree/chosen-items.ts'
import { deleteTrashed } from '../../tree/delete-items.ts'

export const deleteItems: Operation<typeof call> = async (ctx, { itemIds }) => {
  const deleted = await changeTree(ctx, async (tx) => {
    const ids = (await listTrashed(tx, ctx.user, itemIds)).map(({ id }) => id)
    await deleteTrashed(ctx, tx, ctx.user.id, { ids })
    return ids
  })
  return presentChanged(deleted, 'permanently deleted')
}
