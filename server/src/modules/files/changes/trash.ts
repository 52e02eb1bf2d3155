import { calls } from '@alcove/contract/calls'
import type { Selection } from '@alcove/contract/selection'
import type { SessionUser } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  type ChosenItem,
  changeTree,
  getOwnFile,
  getOwnFolder,
  keepTopmost,
  listChosen,
  listNamed,
  moveToTrash,
  presentChanged,
} from '../../items/index.ts'

export const trashFile = endpoint(calls.trashFile, async (ctx, { id }) => {
  await changeTree(ctx, async (tx) => moveToTrash(ctx, tx, [await getOwnFile(tx, ctx.user, id)]))
  return { message: 'File deleted successfully.' }
})

export const trashFolder = endpoint(calls.trashFolder, async (ctx, { id }) => {
  await changeTree(ctx, async (tx) => moveToTrash(ctx, tx, [await getOwnFolder(tx, ctx.user, id)]))
  return { message: 'Folder deleted successfully.' }
})

/**
 * Returns the items that this call has trashed, which undo restores. Items that are already in the trash are left out
 * without an error, so that a call can be repeated.
 */
export const trashItems = endpoint(calls.trashItems, async (ctx, selection) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const chosen = await listVisibleOrTrashed(tx, ctx.user, selection)
    const visible = await keepTopmost(
      tx,
      chosen.filter((item) => item.trash_id === null),
    )
    await moveToTrash(ctx, tx, visible)
    const trashed = new Set(visible.map(({ id }) => id))
    return chosen.filter(({ id }) => trashed.has(id)).map(({ id }) => id)
  })
  return presentChanged(itemIds, 'moved to the trash')
})

function listVisibleOrTrashed(tx: Tx, user: SessionUser, selection: Selection): Promise<ChosenItem[]> {
  return selection.itemIds ? listNamed(tx, user, selection.itemIds) : listChosen(tx, user, selection)
}
