import type { moveItems as call } from '@alcove/contract/item-calls'
import type { Operation } from '../../platform/http/api.ts'
import { presentChanged } from '../../tree/bulk-change.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { keepTopmost, listChosen } from '../../tree/chosen-items.ts'
import { getOwnTarget } from '../../tree/into-folder.ts'
import { moveInto } from '../../tree/move-items.ts'

/** Answers all that lies in the folder afterwards of what was asked for: also what was there before. */
export const moveItems: Operation<typeof call> = async (ctx, { targetFolderId, onConflict, ...selection }) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await keepTopmost(tx, await listChosen(tx, ctx.user, selection))
    const target = await getOwnTarget(tx, ctx.user, targetFolderId, items)
    await moveInto(tx, target, items, onConflict, ctx.clock.now())
    return items.map(({ id }) => id)
  })
  return presentChanged(itemIds, 'moved')
}
