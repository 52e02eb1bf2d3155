import { calls } from '@alcove/contract/calls'
import { MAX_DEPTH } from '@alcove/contract/limits'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  admitCopies,
  assertDepthBelow,
  type ChosenItem,
  changeTrees,
  getOwnFile,
  getOwnFolderOrMount,
  getOwnPlace,
  getOwnTarget,
  isWithin,
  keepTopmost,
  listChosen,
  measureHeight,
  moveAcross,
  moveInto,
  presentChanged,
  presentFile,
  presentOwnFolder,
  relocateItem,
  withMark,
} from '../../items/index.ts'

export const moveFile = endpoint(calls.moveFile, async (ctx, { fileId, targetFolderId }) => {
  const moved = await moveOne(ctx, getOwnFile, fileId, targetFolderId)
  const user = ctx.target ?? ctx.user
  return withMark(ctx.db, user, presentFile(moved, user))
})

export const moveFolder = endpoint(calls.moveFolder, async (ctx, { folderId, targetFolderId }) => {
  const moved = await moveOne(ctx, getOwnFolderOrMount, folderId, targetFolderId)
  const user = ctx.target ?? ctx.user
  return withMark(ctx.db, user, await presentOwnFolder({ ...ctx, user }, moved))
})

/** Returns the item where it is afterwards: itself, or the copy in another tree. */
async function moveOne(
  ctx: UserContext,
  getOwn: typeof getOwnFile,
  id: string,
  targetFolderId: string | undefined,
): Promise<ItemRow> {
  if (ctx.target) await admitCopies(ctx, [await getOwn(ctx.db, ctx.user, id)])
  return changeTrees(ctx, async (tx) => {
    const item = await getOwn(tx, ctx.user, id)
    if (!ctx.target) return moveItem(ctx, tx, item, targetFolderId)
    const [copyId] = await moveAcross(tx, ctx, [item as ChosenItem], { targetFolderId, onConflict: 'fail' })
    return tx
      .selectFrom('items')
      .selectAll()
      .where('id', '=', copyId as string)
      .executeTakeFirstOrThrow()
  })
}

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

/** Returns the requested items that are in the folder afterwards, including those that were there before, or their copies. */
export const moveItems = endpoint(calls.moveItems, async (ctx, { targetFolderId, onConflict, ...selection }) => {
  if (ctx.target) await admitCopies(ctx, await keepTopmost(ctx.db, await listChosen(ctx.db, ctx.user, selection)))
  const moved = await changeTrees(ctx, async (tx) => {
    const items = await keepTopmost(tx, await listChosen(tx, ctx.user, selection))
    const ids = items.map(({ id }) => id)
    if (ctx.target) {
      const itemIds = await moveAcross(tx, ctx, items, { targetFolderId, onConflict })
      return { itemIds, trashedIds: ids }
    }
    const target = await getOwnTarget(tx, ctx.user, targetFolderId, items)
    await moveInto(tx, ctx.user, target, items, onConflict, ctx.clock.now())
    return { itemIds: ids }
  })
  return { ...moved, ...presentChanged(moved.itemIds, 'moved') }
})
