import type { moveItems as call } from '@alcove/contract/item-calls'
import type { Operation } from '../../../platform/http/api.ts'
import { changeTree, getOwnTarget, keepTopmost, listChosen, moveInto, presentChanged } from '../../items/index.ts'

/** Returns the requested items that are in the folder afterwards, including those that were there before. */
export const moveItems: Operation<typeof call> = async (ctx, { targetFolderId, onConflict, ...selection }) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await keepTopmost(tx, await listChosen(tx, ctx.user, selection))
    const target = await getOwnTarget(tx, ctx.user, targetFolderId, items)
    await moveInto(tx, target, items, onConflict, ctx.clock.now())
    return items.map(({ id }) => id)
  })
  return presentChanged(itemIds, 'moved')
}
