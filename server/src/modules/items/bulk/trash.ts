import { type NotNull, sql } from 'kysely'
import type { Services, SessionUser } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong, textTable } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { queueBlobRemovalOf } from '../../storage/index.ts'
import { noteScattered } from '../activity/note-activity.ts'
import { deleteVersionsOf } from '../delete-versions.ts'
import { isUnprotected } from '../deletion-guard/protected-items.ts'
import { noteArrival, noteDeparture } from '../folder-changes.ts'
import { assertUnlocked, type LeavingItem, type LockUser, releaseLeaving } from '../locks/assert-unlocked.ts'
import { queueMountRemoval } from '../mount-removal.ts'
import { rootIdOf } from '../own-item.ts'
import { deletePropertiesOf } from '../properties.ts'
import { changeQuota } from '../quota.ts'
import { listFoldersBelow } from '../read/tree-queries.ts'
import { claimNames, placeItems } from './claim-names.ts'
import type { ChosenItem } from './selection.ts'

/**
 * Moves items to the trash. Their names become free, and everything visible below each item is hidden under its id.
 * Items that were trashed themselves before keep their own id. No item may lie below another. Throws 'locked' if a lock prevents
 * it. Uses a handful of statements for any number of items, whatever lies below them. The user's tree must be locked.
 */
export async function hideInTrash(
  tx: Tx,
  user: LockUser & Pick<SessionUser, 'member'>,
  items: readonly (LeavingItem & Pick<ItemRow, 'kind'>)[],
  now: number,
): Promise<void> {
  await releaseLeaving(tx, user, now, items)
  const ids = items.map(({ id }) => id)
  await noteDeparture(tx, user, ids)
  const { userId = null, email = null } = user.member ?? {}
  await sql`update items set trashed_at = ${now}, trash_id = id, trashed_by = ${userId}, trashed_by_email = ${email}
    where ${isAmong(tx, 'id', ids)}`.execute(tx)
  const folders = items.filter(({ kind }) => kind === 'folder').map(({ id }) => id)
  if (folders.length === 0) return
  const below = await listFoldersBelow(tx, folders)
  await sql`
    update items set trash_id = given.top from ${textTable(tx, ['id', 'top'], below)} as given
    where items.parent_id = given.id and items.trash_id is null`.execute(tx)
}

/**
 * Restores items that were trashed themselves, each with everything that went to the trash with it. An item returns to
 * its folder, or to the root of its area if that folder is gone or stays hidden; if its name has been taken since, it
 * becomes `name (1).ext`. Uses a handful of statements for any number of items. The user's tree must be locked.
 */
export async function bringBackFromTrash(
  tx: Tx,
  user: SessionUser,
  items: readonly ChosenItem[],
  now: number,
): Promise<void> {
  const ids = items.map(({ id }) => id)
  const places = await findPlaces(tx, user, items)
  await assertUnlocked(tx, user, now, [...new Set(places.values())])
  const wanted = items.map((item) => ({ id: item.id, parentId: places.get(item.id) as string, name: item.name }))
  const newNames = await claimNames(tx, wanted, 'keepBoth')
  const moved = items.filter((item) => newNames.has(item.id) || places.get(item.id) !== item.parent_id)
  await placeItems(
    tx,
    moved.map(({ id, name }) => ({ id, parentId: places.get(id) as string, name: newNames.get(id) ?? name })),
  )
  await sql`update items set trashed_at = null, trash_id = null, trashed_by = null, trashed_by_email = null,
      deletion_group = null
    where ${isAmong(tx, 'id', ids)}`.execute(tx)
  await noteArrival(tx, user, ids)
  const restored = items.map((item) => ({
    ...item,
    name: newNames.get(item.id) ?? item.name,
    parent_id: places.get(item.id) as string,
  }))
  noteScattered(tx, user, { action: 'restored', items: restored, now })
  const folders = items.filter(({ kind }) => kind === 'folder').map(({ id }) => id)
  if (folders.length === 0) return
  await sql`update items set trash_id = null where trashed_at is null and ${isAmong(tx, 'trash_id', folders)}`.execute(
    tx,
  )
}

/** Returns each item's folder if it is visible or is also being restored, otherwise the root of its area. */
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

/** Selects trashed items of a user: by id, by the time they were trashed, or all of them if neither is set. */
export interface TrashedItems {
  ids?: readonly string[] | undefined
  trashedBy?: number | undefined
  /** Spares items of a mass deletion that are protected at this time. */
  sparingAt?: number
}

/**
 * Permanently deletes trashed items with everything hidden under them and all their versions, and frees their space and bytes. Items below
 * them that had been trashed themselves stay in the trash and will be restored to the root. Uses a handful of
 * statements for any number of items. The user's tree must be locked.
 */
export async function deleteTrashed(
  services: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  ownerId: string,
  which: TrashedItems,
): Promise<void> {
  let trashed = tx.selectFrom('items').select('id').where('owner_id', '=', ownerId).where('trashed_at', 'is not', null)
  if (which.ids !== undefined) trashed = trashed.where(isAmong(tx, 'id', which.ids))
  if (which.trashedBy !== undefined) trashed = trashed.where('trashed_at', '<=', which.trashedBy)
  if (which.sparingAt !== undefined) trashed = trashed.where(isUnprotected(which.sparingAt))
  const hidden = tx.selectFrom('items').select('id').where('trash_id', 'in', trashed).where('trashed_at', 'is', null)
  // If nothing is hidden under these items, as with plain files, the loop can skip the query.
  const hasHidden = (await hidden.limit(1).executeTakeFirst()) !== undefined
  const doomedIds = hasHidden ? trashed.unionAll(hidden) : trashed
  const doomed = tx.selectFrom('items').where('id', 'in', doomedIds)

  await tx
    .updateTable('items')
    .set((eb) => ({
      parent_id: eb
        .selectFrom('items as root')
        .select('root.id')
        .whereRef('root.owner_id', '=', 'items.owner_id')
        .whereRef('root.area', '=', 'items.area')
        .where('root.parent_id', 'is', null),
    }))
    .where('owner_id', '=', ownerId)
    .where('trashed_at', 'is not', null)
    .where('id', 'not in', trashed)
    .where('parent_id', 'in', doomed.select('id'))
    .execute()
  const { bytes, mounts, folders } = await doomed
    .select((eb) => [
      eb.fn.sum('size').as('bytes'),
      eb.fn.count('mount_of').as('mounts'),
      eb.fn.count(eb.case().when('kind', '=', 'folder').then(1).end()).as('folders'),
    ])
    .executeTakeFirstOrThrow()
  if (Number(folders) > 0) await queueMountRemoval(services, tx, sql`members.folder_id in ${doomed.select('id')}`)
  const versionBytes = await deleteVersionsOf(services, tx, ownerId, doomed.select('id'))
  await deletePropertiesOf(tx, ownerId, doomed.select('id'))
  const blobKeys = doomed.select('blob_key').where('blob_key', 'is not', null).$narrowType<{ blob_key: NotNull }>()
  await queueBlobRemovalOf(services, tx, blobKeys)
  // One statement deletes everything, because the deleted rows may be each other's parents, in any order.
  const { numDeletedRows } = await tx.deleteFrom('items').where('id', 'in', doomedIds).executeTakeFirstOrThrow()
  // The sum is null if there are no rows, and text on PostgreSQL.
  const used = -Number(bytes ?? 0) - versionBytes
  const items = Number(mounts) - Number(numDeletedRows)
  await changeQuota(tx, ownerId, { used, versions: -versionBytes, items })
}
