import type { restoreItems as call } from '@alcove/contract/trash'
import type { Operation } from '../../platform/http/api.ts'
import { presentChanged } from '../../tree/bulk-change.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { listTrashed } from '../../tree/chosen-items.ts'
import { bringBackFromTrash } from '../../tree/subtree.ts'

export const restoreItems: Operation<typeof call> = async (ctx, { itemIds }) => {
  const restored = await changeTree(ctx, async (tx) => {
    const items = await listTrashed(tx, ctx.user, itemIds)
    await bringBackFromTrash(tx, ctx.user, items)
    return items.map(({ id }) => id)
  })
  return presentChanged(restored, 'restored')
}
