import type { SessionUser, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/database-errors.ts'
import type { Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow, ItemWithHistory } from '../../platform/db/tables.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { noteActivity } from './activity/note-activity.ts'
import { prepareExpected } from './at-once.ts'
import { noteArrival, noteChange, noteDeparture } from './folder-changes.ts'
import { assertUnlocked, type LockUser, releaseLeaving } from './locks/assert-unlocked.ts'
import { assertMayContainMounts } from './mounts.ts'
import { nameColumns, numberedName, splitExtension } from './names.ts'
import type { Place } from './own-item.ts'
import { type Adding, takeSpace } from './quota.ts'

/**
 * The properties of a new item; the others follow from its folder. A file's modification date defaults to now. `replaced_in` is the
 * device that stored its bytes, if an app may replace other files with it.
 */
type ItemDraft = Pick<ItemRow, 'kind' | 'name' | 'size' | 'blob_key'> &
  Partial<Pick<ItemWithHistory, 'vault_check' | 'modified_at' | 'mount_of' | 'replaced_in'>>

export function nameTaken(name: string): AppError {
  return new AppError('name_taken', `A file or folder named "${name}" already exists here.`)
}

/**
 * Inserts an item into a folder. Throws 'name taken' if the name exists, and 'locked' if the folder is. The item must have been
 * counted (`takeSpace`).
 */
export async function insertItem(
  tx: Tx,
  user: SessionUser,
  parent: Place,
  draft: ItemDraft,
  now: number,
): Promise<ItemRow> {
  const item = await tryInsertItem(tx, user, parent, draft, now)
  if (!item) throw nameTaken(draft.name)
  return item
}

/**
 * Creates a folder in another one and counts it. Throws 'name taken' or 'item limit'. The user's tree must be locked.
 */
export async function addFolder(
  ctx: Adding & Pick<UserContext, 'clock'>,
  tx: Tx,
  parent: Place,
  name: string,
): Promise<ItemRow> {
  await takeSpace(tx, ctx, { items: 1 })
  return insertItem(tx, ctx.user, parent, { kind: 'folder', name, size: 0, blob_key: null }, ctx.clock.now())
}

/** Like `addFolder`, as `name (1)` and so on if the name is taken. */
export async function addFolderKeepingBoth(
  ctx: Adding & Pick<UserContext, 'clock'>,
  tx: Tx,
  parent: Place,
  name: string,
): Promise<ItemRow> {
  await takeSpace(tx, ctx, { items: 1 })
  const draft = { kind: 'folder', name, size: 0, blob_key: null } as const
  return insertItemKeepingBoth(tx, ctx.user, parent, draft, ctx.clock.now())
}

/** Inserts an item into a folder, as `name (1).ext` and so on if its name is taken. */
export async function insertItemKeepingBoth(
  tx: Tx,
  user: SessionUser,
  parent: Place,
  draft: ItemDraft,
  now: number,
): Promise<ItemRow> {
  const item = await tryInsertItem(tx, user, parent, draft, now)
  if (item) return item
  return insertItem(tx, user, parent, { ...draft, name: await findFreeName(tx, parent.id, draft.name) }, now)
}

/** Returns undefined if the name is taken. A database error would abort the transaction on PostgreSQL. */
async function tryInsertItem(
  tx: Tx,
  user: SessionUser,
  parent: Place,
  { replaced_in = null, ...draft }: ItemDraft,
  now: number,
): Promise<ItemRow | undefined> {
  await assertUnlocked(tx, user, now, [parent.id])
  const row: ItemRow = {
    ...draft,
    // Ids that increase with time keep the newest rows of an index together on few pages.
    id: orderedId(),
    owner_id: user.id,
    parent_id: parent.id,
    area: parent.area,
    ...nameColumns(draft.name),
    vault_check: draft.vault_check ?? null,
    favorite_at: null,
    shared_at: null,
    trashed_at: null,
    trashed_by: null,
    trashed_by_email: null,
    deletion_group: null,
    trash_id: null,
    created_at: now,
    updated_at: now,
    modified_at: draft.kind === 'file' ? (draft.modified_at ?? now) : null,
    changed_in: null,
    tree_size: null,
    mount_of: draft.mount_of ?? null,
  }
  if (!(await insertUnlessTaken(tx, { ...row, replaced_in }))) return undefined
  await noteChange(tx, user, parent.id, row.size)
  return row
}

const insertUnlessTaken = prepareExpected((db, value: Value<Pick<ItemWithHistory, keyof ItemRow | 'replaced_in'>>) =>
  db
    .insertInto('items')
    .values({
      id: value('id'),
      owner_id: value('owner_id'),
      parent_id: value('parent_id'),
      area: value('area'),
      kind: value('kind'),
      name: value('name'),
      sort_key: value('sort_key'),
      extension: value('extension'),
      size: value('size'),
      blob_key: value('blob_key'),
      vault_check: value('vault_check'),
      replaced_in: value('replaced_in'),
      favorite_at: value('favorite_at'),
      trashed_at: value('trashed_at'),
      trash_id: value('trash_id'),
      created_at: value('created_at'),
      updated_at: value('updated_at'),
      modified_at: value('modified_at'),
      mount_of: value('mount_of'),
    })
    .onConflict((conflict) => conflict.columns(['parent_id', 'name']).where('trashed_at', 'is', null).doNothing())
    .returning('id'),
)

/**
 * Returns the first free name of `name`, `name (1)`, `name (2)`, … in a folder, with one query however many are taken.
 */
async function findFreeName(tx: Tx, parentId: string, name: string): Promise<string> {
  // The base may be shortened to leave space for the number, so compare with what remains beside the longest number.
  const [base] = splitExtension(numberedName(name, 999_999))
  const prefix = base.slice(0, base.lastIndexOf(' ('))
  const siblings = await tx
    .selectFrom('items')
    .select('name')
    .where('parent_id', '=', parentId)
    .where('trashed_at', 'is', null)
    .where('name', '>=', prefix)
    .where('name', '<', `${prefix}\u{10ffff}`)
    .execute()
  const taken = new Set(siblings.map((sibling) => sibling.name))
  if (!taken.has(name)) return name
  for (let number = 1; ; number++) {
    const candidate = numberedName(name, number)
    if (!taken.has(candidate)) return candidate
  }
}

/** Renames an item. Throws 'name taken' if a sibling has the name, and 'locked' if a lock prevents it. */
export async function renameItem(tx: Tx, user: LockUser, item: ItemRow, name: string, now: number): Promise<ItemRow> {
  await releaseLeaving(tx, user, now, [item])
  const folderId = item.parent_id as string
  await noteChange(tx, user, folderId, 0)
  const renamed = await updateItem(tx, item, { ...nameColumns(name), updated_at: now }, name)
  if (name !== item.name)
    noteActivity(tx, user, { action: 'renamed', folderId, items: [{ ...renamed, oldName: item.name }], now })
  return renamed
}

/**
 * Moves an item to a folder, with the same or another name. Throws 'name taken' if the name exists there, and 'locked' if a lock
 * prevents it.
 */
export async function relocateItem(
  tx: Tx,
  user: LockUser,
  item: Pick<ItemRow, 'id' | 'parent_id' | 'name' | 'mount_of'>,
  to: { parentId: string; name: string },
  now: number,
): Promise<ItemRow> {
  if (item.mount_of !== null) await assertMayContainMounts(tx, to.parentId)
  await releaseLeaving(tx, user, now, [item], to.parentId)
  await noteDeparture(tx, user, [item.id])
  const moved = await updateItem(
    tx,
    item,
    { parent_id: to.parentId, ...nameColumns(to.name), updated_at: now },
    to.name,
  )
  await noteArrival(tx, user, [item.id])
  const isRenamed = to.name !== item.name
  const items = [isRenamed ? { ...moved, oldName: item.name } : moved]
  if (item.parent_id !== to.parentId) {
    noteActivity(tx, user, { action: 'moved', folderId: to.parentId, originId: item.parent_id, items, now })
  } else if (isRenamed) noteActivity(tx, user, { action: 'renamed', folderId: to.parentId, items, now })
  return moved
}

/** Sets the modification date of a file. Throws 'locked' if a lock prevents it. */
export async function setModifiedAt(
  tx: Tx,
  user: LockUser,
  item: ItemRow,
  modifiedAt: number,
  now: number,
): Promise<void> {
  await assertUnlocked(tx, user, now, [item.id])
  await noteChange(tx, user, item.parent_id as string, 0)
  await updateItem(tx, item, { modified_at: modifiedAt, updated_at: now }, item.name)
}

async function updateItem(
  tx: Tx,
  item: Pick<ItemRow, 'id'>,
  changes: Partial<ItemRow>,
  name: string,
): Promise<ItemRow> {
  try {
    return await tx.updateTable('items').set(changes).where('id', '=', item.id).returningAll().executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(name)
    throw error
  }
}
