import type { copyItems as call } from '@alcove/contract/item-calls'
import type { Operation } from '../../platform/http/api.ts'
import { presentChanged } from '../../tree/bulk-change.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { keepTopmost, listChosen } from '../../tree/chosen-items.ts'
import { copyInto } from '../../tree/copy-items.ts'
import { getOwnTarget } from '../../tree/into-folder.ts'
import { assertMayAddTo } from '../../tree/vault-plan.ts'

/** Answers the copies themselves, not what lies below them. */
export const copyItems: Operation<typeof call> = async (ctx, { targetFolderId, onConflict, ...selection }) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await keepTopmost(tx, await listChosen(tx, ctx.user, selection))
    const target = await getOwnTarget(tx, ctx.user, targetFolderId, items)
    assertMayAddTo(target.area, ctx.user)
    return copyInto(tx, ctx.user, target, items, onConflict, ctx.clock.now())
  })
  return presentChanged(itemIds, 'copied')
}
