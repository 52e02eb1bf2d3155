import type { trashItems as call } from '@alcove/contract/item-calls'
import type { Selection } from '@alcove/contract/selection'
import type { SessionUser } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Operation } from '../../platform/http/api.ts'
import { presentChanged } from '../../tree/bulk-change.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { type ChosenItem, keepTopmost, listChosen, listNamed } from '../../tree/chosen-items.ts'
import { hideInTrash } from '../../tree/subtree.ts'

/**
 * Answers what is in the trash by itself afterwards, and so can be restored: also what was there before, so that asking
 * again after an answer that got lost is no error.
 */
export const trashItems: Operation<typeof call> = async (ctx, selection) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const chosen = await listInOrOut(tx, ctx.user, selection)
    const visible = await keepTopmost(
      tx,
      chosen.filter((item) => item.trash_id === null),
    )
    await hideInTrash(tx, visible, ctx.clock.now())
    const trashed = new Set(visible.map(({ id }) => id))
    return chosen.filter((item) => item.trashed_at !== null || trashed.has(item.id)).map(({ id }) => id)
  })
  return presentChanged(itemIds, 'moved to the trash')
}

function listInOrOut(tx: Tx, user: SessionUser, selection: Selection): Promise<ChosenItem[]> {
  return selection.itemIds ? listNamed(tx, user, selection.itemIds) : listChosen(tx, user, selection)
}
