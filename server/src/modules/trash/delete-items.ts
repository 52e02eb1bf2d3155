import type { deleteItems as call } from '@alcove/contract/trash'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree, deleteTrashed, listTrashed, presentChanged } from '../items/index.ts'

export const deleteItems: Operation<typeof call> = async (ctx, { itemIds }) => {
  const deleted = await changeTree(ctx, async (tx) => {
    const ids = (await listTrashed(tx, ctx.user, itemIds)).map(({ id }) => id)
    await deleteTrashed(ctx, tx, ctx.user.id, { ids })
    return ids
  })
  return presentChanged(deleted, 'permanently deleted')
}
