import { calls } from '@alcove/contract/calls'
import type { SessionUser, UserContext } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
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
  PROTECTED_FOR,
  presentChanged,
  presentFile,
  presentFolder,
  readFolderPaths,
} from '../items/index.ts'

const DAY = 86_400_000

export const listTrash = endpoint(calls.listTrash, async ({ db, user, clock, config }) => {
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .where('trashed_at', 'is not', null)
    .orderBy('trashed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const folderIds = new Set(rows.map(({ parent_id }) => parent_id as string))
  const paths = await readFolderPaths(db, [...folderIds], user.driveRootId)
  const protectedUntil = await findProtectedUntil(db, rows)
  const deleters = await findDeleters(db, rows)
  const items = rows.map((row) => {
    const trashedAt = row.trashed_at as number
    const keptUntil = Math.max(trashedAt + config.trashRetention, protectedUntil.get(row.deletion_group ?? '') ?? 0)
    const left = keptUntil - clock.now()
    const trashed = {
      deleted_at: new Date(trashedAt).toISOString(),
      originalPath: paths.get(row.parent_id as string) || '/',
      daysLeft: Math.max(0, Math.ceil(left / DAY)),
      ...(row.trashed_by && { deletedBy: deleters.get(row.trashed_by) ?? row.trashed_by_email ?? '' }),
    }
    return { row, trashed }
  })
  return {
    files: items
      .filter(({ row }) => row.kind === 'file')
      .map(({ row, trashed }) => ({ ...presentFile(row, user), ...trashed })),
    folders: items
      .filter(({ row }) => row.kind === 'folder')
      .map(({ row, trashed }) => ({ ...presentFolder(row, user), ...trashed })),
  }
})

/** Returns until when the items of mass deletions are protected, by the group. */
async function findProtectedUntil(
  db: Database,
  rows: readonly Pick<ItemRow, 'deletion_group'>[],
): Promise<Map<string, number>> {
  const ids = [...new Set(rows.map((row) => row.deletion_group).filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const groups = await db
    .selectFrom('deletion_groups')
    .select(['id', 'alarmed_at'])
    .where(isAmong(db, 'id', ids))
    .where('alarmed_at', 'is not', null)
    .$narrowType<{ alarmed_at: number }>()
    .execute()
  return new Map(groups.map(({ id, alarmed_at }) => [id, alarmed_at + PROTECTED_FOR]))
}

/** Returns the addresses of members who trashed items, by the user. Deleted accounts are missing. */
async function findDeleters(db: Database, rows: readonly Pick<ItemRow, 'trashed_by'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map((row) => row.trashed_by).filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const users = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where(isAmong(db, 'id', ids))
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(users.map(({ id, email }) => [id, email]))
}

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
