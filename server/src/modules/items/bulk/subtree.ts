import { sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isAmong, textTable } from '../../../platform/db/text-list.ts'
import { rootIdOf } from '../own-item.ts'
import { listFoldersBelow } from '../read/folders-below.ts'
import type { ChosenItem } from './chosen-items.ts'
import { claimNames } from './claim-names.ts'
import { placeItems } from './rename-items.ts'

/**
 * Puts items into the trash: each leaves its name free, and all that is visible below it is hidden with it, under its
 * id. What was trashed by itself before keeps its own. No item may lie below another. A handful of statements, however many
 * they are and however much lies below.
 */
export async function hideInTrash(tx: Tx, items: readonly Pick<ItemRow, 'id' | 'kind'>[], now: number): Promise<void> {
  const ids = items.map(({ id }) => id)
  await sql`update items set trashed_at = ${now}, trash_id = id where ${isAmong(tx, 'id', ids)}`.execute(tx)
  const folders = items.filter(({ kind }) => kind === 'folder').map(({ id }) => id)
  if (folders.length === 0) return
  const below = await listFoldersBelow(tx, folders)
  await sql`
    update items set trash_id = given.top from ${textTable(tx, ['id', 'top'], below)} as given
    where items.parent_id = given.id and items.trash_id is null`.execute(tx)
}

/**
 * Takes items that were trashed by themselves out of the trash, and with each all that went there with it. An item comes
 * back where it was, or at the root of its area if that folder is gone or stays hidden; where its name is taken
 * meanwhile, as `name (1).ext`. A handful of statements, however many they are. The user's tree must be locked.
 */
export async function bringBackFromTrash(tx: Tx, user: SessionUser, items: readonly ChosenItem[]): Promise<void> {
  const ids = items.map(({ id }) => id)
  const places = await findPlaces(tx, user, items)
  const wanted = items.map((item) => ({ id: item.id, parentId: places.get(item.id) as string, name: item.name }))
  const newNames = await claimNames(tx, wanted, 'keepBoth')
  const moved = items.filter((item) => newNames.has(item.id) || places.get(item.id) !== item.parent_id)
  await placeItems(
    tx,
    moved.map(({ id, name }) => ({ id, parentId: places.get(id) as string, name: newNames.get(id) ?? name })),
  )
  await sql`update items set trashed_at = null, trash_id = null where ${isAmong(tx, 'id', ids)}`.execute(tx)
  const folders = items.filter(({ kind }) => kind === 'folder').map(({ id }) => id)
  if (folders.length === 0) return
  await sql`update items set trash_id = null where trashed_at is null and ${isAmong(tx, 'trash_id', folders)}`.execute(
    tx,
  )
}

/** For each item the folder that it lies in, if that can be seen or is being brought back too, else the root of its area. */
async function findPlaces(tx: Tx, user: SessionUser, items: readonly ChosenItem[]): Promise<Map<string, string>> {
  const parents = await tx
    .selectFrom('items')
    .select(['id', 'trash_id'])
    .where(isAmong(tx, 'id', [...new Set(items.map((item) => item.parent_id))]))
    .execute()
  const broughtBack = new Set(items.map(({ id }) => id))
  const visible = new Set(
    parents.filter(({ trash_id }) => trash_id === null || broughtBack.has(trash_id)).map(({ id }) => id),
  )
  return new Map(
    items.map(({ id, parent_id, area }) => [id, visible.has(parent_id) ? parent_id : rootIdOf(user, area)]),
  )
}
