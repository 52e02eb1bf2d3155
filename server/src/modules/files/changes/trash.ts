import { calls } from '@alcove/contract/calls'
import type { Selection } from '@alcove/contract/selection'
import type { SessionUser } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  type ChosenItem,
  changeTree,
  getOwnFile,
  getOwnFolderOrMount,
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
  const { mount_of } = await changeTree(ctx, async (tx) => {
    const folder = await getOwnFolderOrMount(tx, ctx.user, id)
    await moveToTrash(ctx, tx, [folder])
    return folder
  })
  return { message: mount_of === null ? 'Folder deleted successfully.' : ONLY_REMOVED }
})

/**
 * Returns the items that this call has trashed, which undo restores. Items that are already in the trash are left out
 * without an error, so that a call can be repeated. Mounts are left out too: they are only removed from the user's files.
 */
export const trashItems = endpoint(calls.trashItems, async (ctx, selection) => {
  const { itemIds, hasMounts } = await changeTree(ctx, async (tx) => {
    const chosen = await listVisibleOrTrashed(tx, ctx.user, selection)
    const visible = await keepTopmost(
      tx,
      chosen.filter((item) => item.trash_id === null),
    )
    await moveToTrash(ctx, tx, visible)
    const trashed = new Set(visible.filter(({ mount_of }) => mount_of === null).map(({ id }) => id))
    return {
      itemIds: chosen.filter(({ id }) => trashed.has(id)).map(({ id }) => id),
      hasMounts: trashed.size < visible.length,
    }
  })
  const changed = presentChanged(itemIds, 'moved to the trash')
  if (!hasMounts) return changed
  return { ...changed, message: itemIds.length === 0 ? ONLY_REMOVED : `${changed.message} ${ONLY_REMOVED}` }
})

const ONLY_REMOVED = 'Folders of others were removed from your files. They stay under “Shared with me”.'

function listVisibleOrTrashed(tx: Tx, user: SessionUser, selection: Selection): Promise<ChosenItem[]> {
  return selection.itemIds ? listNamed(tx, user, selection.itemIds) : listChosen(tx, user, selection)
}
