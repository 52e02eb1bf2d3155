import { calls } from '@alcove/contract/calls'
import type { SessionUser, UserContext } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import {
  bringBackFromTrash,
  changeTree,
  deletePermanently,
  emptyTrashOf,
  getOwnTrashed,
  isInReach,
  listTrashed,
  presentChanged,
  presentFile,
  presentFolder,
} from '../items/index.ts'

export const restoreFile = endpoint(calls.restoreFile, async (ctx, { id }) =>
  presentFile(await restoreItem(ctx, id, 'file'), ctx.user),
)

export const restoreFolder = endpoint(calls.restoreFolder, async (ctx, { id }) =>
  presentFolder(await restoreItem(ctx, id, 'folder'), ctx.user),
)

function restoreItem(ctx: UserContext, id: string, kind: ItemRow['kind']): Promise<ItemRow> {
  return changeTree(ctx, async (tx) => {
    await bringBackFromTrash(tx, ctx.user, [await getOwnTrashed(tx, ctx.user, id, kind)], ctx.clock.now())
    return tx.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
}

export const restoreItems = endpoint(calls.restoreItems, async (ctx, { itemIds }) => {
  const restored = await changeTree(ctx, async (tx) => {
    const items = await listTrashed(tx, ctx.user, itemIds)
    await bringBackFromTrash(tx, ctx.user, items, ctx.clock.now())
    return items.map(({ id }) => id)
  })
  return presentChanged(restored, 'restored')
})

export const deleteFile = endpoint(calls.deleteFile, async (ctx, { id }) => {
  await deleteItem(ctx, id, 'file')
  return { message: 'File permanently deleted.' }
})

export const deleteFolder = endpoint(calls.deleteFolder, async (ctx, { id }) => {
  await deleteItem(ctx, id, 'folder')
  return { message: 'Folder permanently deleted.' }
})

function deleteItem(ctx: UserContext, id: string, kind: ItemRow['kind']): Promise<void> {
  return changeTree(ctx, async (tx) => {
    const item = await getOwnTrashed(tx, ctx.user, id, kind)
    await deletePermanently(ctx, tx, [item.id])
  })
}

export const deleteItems = endpoint(calls.deleteItems, async (ctx, { itemIds }) => {
  const deleted = await changeTree(ctx, async (tx) => {
    const ids = (await listTrashed(tx, ctx.user, itemIds)).map(({ id }) => id)
    await deletePermanently(ctx, tx, ids)
    return ids
  })
  return presentChanged(deleted, 'permanently deleted')
})

export const emptyTrash = endpoint(calls.emptyTrash, async (ctx, { trashedUntil }) => {
  const trashedBy = trashedUntil === undefined ? undefined : Date.parse(trashedUntil)
  await changeTree(ctx, async (tx) => {
    // Without a folder, one statement finds everything, whatever the trash contains.
    const ids = ctx.user.appPassword?.folderId ? await listTrashedIds(tx, ctx.user) : undefined
    await emptyTrashOf(ctx, tx, { ids, trashedBy })
  })
  return { message: 'All trashed items permanently deleted.' }
})

async function listTrashedIds(tx: Tx, user: SessionUser): Promise<string[]> {
  const rows = await tx
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .where('trashed_at', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}
