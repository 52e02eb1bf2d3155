import { calls } from '@alcove/contract/calls'
import { MAX_DEPTH } from '@alcove/contract/limits'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  assertDepthBelow,
  changeTree,
  getOwnFile,
  getOwnFolder,
  getOwnPlace,
  getOwnTarget,
  isWithin,
  keepTopmost,
  listChosen,
  measureHeight,
  moveInto,
  presentChanged,
  presentFile,
  presentFolder,
  relocateItem,
} from '../../items/index.ts'

export const moveFile = endpoint(calls.moveFile, async (ctx, { fileId, targetFolderId }) => {
  const moved = await changeTree(ctx, async (tx) =>
    moveItem(ctx, tx, await getOwnFile(tx, ctx.user, fileId), targetFolderId),
  )
  return presentFile(moved, ctx.user)
})

export const moveFolder = endpoint(calls.moveFolder, async (ctx, { folderId, targetFolderId }) => {
  const moved = await changeTree(ctx, async (tx) =>
    moveItem(ctx, tx, await getOwnFolder(tx, ctx.user, folderId), targetFolderId),
  )
  return presentFolder(moved, ctx.user)
})

async function moveItem(ctx: UserContext, tx: Tx, item: ItemRow, targetId: string | undefined): Promise<ItemRow> {
  const target = await getOwnPlace(tx, ctx.user, targetId, item.area)
  if (target.area !== item.area) {
    throw new AppError('state_conflict', "You can't move items between your files and the vault.")
  }
  // The item is already there. Repeating a move isn't an error.
  if (item.parent_id === target.id) return item
  if (item.kind === 'folder') {
    if (await isWithin(tx, target.id, item.id)) {
      throw new AppError('state_conflict', `"${item.name}" cannot be moved into itself.`)
    }
    await assertDepthBelow(tx, target.id, Math.min(await measureHeight(tx, item.id), MAX_DEPTH))
  }
  return relocateItem(tx, ctx.user, item, { parentId: target.id, name: item.name }, ctx.clock.now())
}

/** Returns the requested items that are in the folder afterwards, including those that were there before. */
export const moveItems = endpoint(calls.moveItems, async (ctx, { targetFolderId, onConflict, ...selection }) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await keepTopmost(tx, await listChosen(tx, ctx.user, selection))
    const target = await getOwnTarget(tx, ctx.user, targetFolderId, items)
    await moveInto(tx, ctx.user, target, items, onConflict, ctx.clock.now())
    return items.map(({ id }) => id)
  })
  return presentChanged(itemIds, 'moved')
})
