import type { SessionUser } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { itemColumns } from '../../platform/db/columns.ts'
import type { Database } from '../../platform/db/database.ts'
import { executePlanned, prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { Area, ItemRow } from '../../platform/db/tables.ts'
import { lookUpOnce } from './at-once.ts'
import { isInOwnTrash, isInReach, isReadable } from './reach.ts'

/** Selects the items that belong to a user and are within reach of the app password, if the request is made with one. */
function ownItems(db: Database, user: SessionUser) {
  return db.selectFrom('items').select(itemColumns).where('owner_id', '=', user.id).where(isInReach(user))
}

/**
 * Selects a user's visible items: the user's own that are not in the trash. Mounts are left out, so that nothing is shared, locked or
 * copied there, and nothing gets into them.
 */
function visibleItems(db: Database, user: SessionUser) {
  return ownItems(db, user).where('trash_id', 'is', null).where('mount_of', 'is', null)
}

/** Returns the user's own item or throws 'not found'. The root folders are never returned. */
export async function getOwnItem(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const item = await visibleItems(db, user).where('id', '=', id).where('parent_id', 'is not', null).executeTakeFirst()
  if (!item) throw notFound('item')
  return item
}

/** Like `getOwnItem`, for reading: a member of a shared folder also gets the folder itself. */
export async function getReadableItem(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const item = await readableItems(db, user).where('id', '=', id).executeTakeFirst()
  if (!item) throw notFound('item')
  return item
}

/** Like `getReadableItem`, but also returns a mount, whose contents must be read in the shared folder. */
export async function getReadableItemOrMount(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const item = await readableRows(db, user).where('id', '=', id).executeTakeFirst()
  if (!item) throw notFound('item')
  return item
}

/** Like `getOwnFolder`, for reading: a member of a shared folder also gets the folder itself. */
export async function getReadableFolder(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const folder = await readableItems(db, user).where('id', '=', id).where('kind', '=', 'folder').executeTakeFirst()
  if (!folder) throw notFound('folder')
  return folder
}

function readableItems(db: Database, user: SessionUser) {
  return readableRows(db, user).where('mount_of', 'is', null)
}

function readableRows(db: Database, user: SessionUser) {
  return db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where(isReadable(user))
    .where('trash_id', 'is', null)
    .where('parent_id', 'is not', null)
}

/** Like `getOwnItem`, but also returns the root of the drive, or for an app password of one folder that folder. */
export async function getOwnItemOrRoot(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const isRoot = id === user.driveRootId
  const all = db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where('trash_id', 'is', null)
    .where('mount_of', 'is', null)
  const item = await (isRoot ? all : all.where(isInReach(user))).where('id', '=', id).executeTakeFirst()
  if (!item) throw notFound('item')
  return item
}

export async function getOwnFile(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const item = await visibleItems(db, user).where('id', '=', id).where('kind', '=', 'file').executeTakeFirst()
  if (!item) throw notFound('file')
  return item
}

/** Returns the user's own file, either visible or trashed by itself. Members of a shared folder see nothing of the trash. */
export async function getOwnListedFile(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const item = await ownItems(db, user)
    .where('id', '=', id)
    .where('kind', '=', 'file')
    .where((eb) => eb.or([eb('trash_id', 'is', null), ...(user.member ? [] : [eb('trashed_at', 'is not', null)])]))
    .executeTakeFirst()
  if (!item) throw notFound('file')
  return item
}

export async function getOwnFolder(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const item = await getOwnFolderOrMount(db, user, id)
  if (item.mount_of !== null) throw notFound('folder')
  return item
}

/** Like `getOwnFolder`, but also returns a mount, for what concerns only its place in the user's own tree. */
export async function getOwnFolderOrMount(db: Database, user: SessionUser, id: string): Promise<ItemRow> {
  const item = await ownItems(db, user)
    .where('id', '=', id)
    .where('kind', '=', 'folder')
    .where('trash_id', 'is', null)
    .where('parent_id', 'is not', null)
    .executeTakeFirst()
  if (!item) throw notFound('folder')
  return item
}

/** Returns the user's own file or folder that was trashed by itself, or throws 'not found'. Members find what they trashed. */
export async function getOwnTrashed(
  db: Database,
  user: SessionUser,
  id: string,
  kind: ItemRow['kind'],
): Promise<ItemRow & { parent_id: string }> {
  const item = await ownItems(db, user)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where(isInOwnTrash(user))
    .where('parent_id', 'is not', null)
    .$narrowType<{ parent_id: string }>()
    .executeTakeFirst()
  if (!item) throw notFound(kind)
  if (item.trashed_at !== null) return item
  throw notInTrashItself(item)
}

export function notInTrashItself({ kind, trash_id }: Pick<ItemRow, 'kind' | 'trash_id'>): AppError {
  return new AppError(
    'state_conflict',
    trash_id === null
      ? `This ${kind} is not in the trash.`
      : `This ${kind} is in the trash as part of a folder. Restore or delete that folder instead.`,
  )
}

/** A folder that can contain items, with its name unless that would cost a statement. */
export type Place = Pick<ItemRow, 'id' | 'area'> & Partial<Pick<ItemRow, 'name'>>

/** Returns the user's own folder, or without an id the root of an area, which every user has. Members always name the folder. */
export async function getOwnPlace(
  db: Database,
  user: SessionUser,
  folderId: string | undefined,
  area: Area,
): Promise<Place> {
  const reach = user.appPassword?.folderId ?? undefined
  if (reach !== undefined && folderId === undefined && (user.member || area === 'vault')) throw notFound('folder')
  const wanted = folderId ?? reach
  if (wanted === undefined) return { id: rootIdOf(user, area), area, name: '' }
  const isReached = reach === undefined || wanted === reach
  const folder = isReached
    ? await lookUpOnce(
        db,
        `folder ${wanted}`,
        async () => (await findFolder(db, { id: wanted, ownerId: user.id })).rows[0],
      )
    : await visibleItems(db, user).where('id', '=', wanted).where('kind', '=', 'folder').executeTakeFirst()
  if (!folder) throw notFound('folder')
  return folder
}

const findFolder = prepareQuery((db, value: Value<{ id: string; ownerId: string }>) =>
  db
    .selectFrom('items')
    .select(itemColumns)
    .where('id', '=', value('id'))
    .where('owner_id', '=', value('ownerId'))
    .where('kind', '=', 'folder')
    .where('trash_id', 'is', null)
    .where('mount_of', 'is', null),
)

/**
 * Returns the file with this name in a folder. Without a folder, looks in the root of the drive and then of the vault,
 * unless `isEncrypted` selects one of them.
 */
export async function getOwnFileByName(
  db: Database,
  user: SessionUser,
  place: { filename: string; folderId: string | undefined; isEncrypted: boolean | undefined },
): Promise<ItemRow> {
  const parents = place.folderId ? [place.folderId] : rootsFor(user, place.isEncrypted)
  const found = await executePlanned(
    db,
    visibleItems(db, user)
      .where('parent_id', 'in', parents)
      .where('name', '=', place.filename)
      .where('kind', '=', 'file'),
  )
  const file = found.find((item) => item.parent_id === parents[0]) ?? found[0]
  if (!file) throw notFound('file')
  return file
}

export function rootIdOf(user: SessionUser, area: Area): string {
  return area === 'vault' ? user.vaultRootId : user.driveRootId
}

function rootsFor(user: SessionUser, isEncrypted: boolean | undefined): string[] {
  if (isEncrypted === undefined) return [user.driveRootId, user.vaultRootId]
  return [isEncrypted ? user.vaultRootId : user.driveRootId]
}
