import type { restoreItems as call } from '@alcove/contract/trash'
import type { Operation } from '../../platform/http/api.ts'
import { bringBackFromTrash, changeTree, listTrashed, presentChanged } from '../items/index.ts'

export const restoreItems: Operation<typeof call> = async (ctx, { itemIds }) => {
  const restored = await changeTree(ctx, async (tx) => {
    const items = await listTrashed(tx, ctx.user, itemIds)
    await bringBackFromTrash(tx, ctx.user, items)
    return items.map(({ id }) => id)
  })
  return presentChanged(restored, 'restored')
}
