import { sql } from 'kysely'
import type { SessionUser, UserContext } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong, textTable } from '../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { claimNames } from './bulk/claim-names.ts'
import { noteArrival, noteDeparture } from './folder-changes.ts'
import { assertUnlocked, releaseLeaving } from './locks/assert-unlocked.ts'
import { nameColumns } from './names.ts'
import { movePropertyBytes } from './properties.ts'
import { changeQuota, takeSpace } from './quota.ts'

/** A folder with everything below it, including what is in the trash. */
export interface WholeFolder {
  /** The folder and all folders below it. */
  folderIds: string[]
  /** The number of files and folders, including the folder itself. */
  items: number
  /** The size of the files with their versions, and of the versions alone. */
  bytes: number
  versionBytes: number
}

/** Measures everything that an owner has in a folder, with three statements. */
export async function measureWholeFolder(db: Database, folderId: string): Promise<WholeFolder> {
  const folders = await sql<{ id: string }>`
    with recursive folders (id, mount_of) as (
      select id, mount_of from items where id = ${folderId}
      union all
      select child.id, child.mount_of from folders
      join items child on child.parent_id = folders.id and child.kind = 'folder'
    )
    select id from folders where mount_of is null`.execute(db)
  const given = textTable(db, ['id'], folders.rows)
  const files = await sql<Sums>`
    select count(*) - count(items.mount_of) as count, sum(items.size) as bytes from ${given} as given
    join items on items.parent_id = given.id`.execute(db)
  const versions = await sql<Sums>`
    select count(*) as count, sum(versions.size) as bytes from ${given} as given
    join items on items.parent_id = given.id join versions on versions.item_id = items.id`.execute(db)
  const versionBytes = bytesIn(versions.rows)
  return {
    folderIds: folders.rows.map(({ id }) => id),
    items: Number(files.rows[0]?.count) + 1,
    bytes: bytesIn(files.rows) + versionBytes,
    versionBytes,
  }
}

interface Sums {
  count: number | string
  bytes: number | string | null
}

/** The sum is null without rows, and text on PostgreSQL. */
const bytesIn = (rows: readonly Sums[]) => Number(rows[0]?.bytes ?? 0)

/** An item that changes its owner, with both owners. */
interface OwnerChange {
  folder: Pick<ItemRow, 'id' | 'parent_id' | 'name'> & { parent_id: string }
  fromId: string
  /** The membership that the old owner has got. */
  fromMemberId: string
  to: SessionUser
}

/**
 * Gives a visible folder of the drive, with everything below it, another owner, in whose root it appears. Everything keeps its id; the
 * usage, versions, links and search index follow. Throws if it exceeds the storage of the new owner, or if a lock prevents it. Uses one
 * statement for each table, whatever lies below. Both trees must be locked. What later modules keep about items, they change themselves.
 */
export async function changeOwner(
  ctx: Pick<UserContext, 'config' | 'clock'>,
  tx: Tx,
  { folder, fromId, fromMemberId, to }: OwnerChange,
): Promise<WholeFolder> {
  const now = ctx.clock.now()
  const from = { id: fromId }
  await releaseLeaving(tx, from, now, [folder])
  await assertUnlocked(tx, to, now, [to.driveRootId])
  await noteDeparture(tx, from, [folder.id])
  const whole = await measureWholeFolder(tx, folder.id)
  const { folderIds, items, bytes, versionBytes } = whole
  // The mounts of the old owner are nobody else's.
  await tx
    .deleteFrom('items')
    .where(isAmong(tx, 'parent_id', folderIds))
    .where('mount_of', 'is not', null)
    .execute()
  await takeSpace(tx, { config: ctx.config, user: to }, { used: bytes, versions: versionBytes, items })
  await changeQuota(tx, fromId, { used: -bytes, versions: -versionBytes, items: -items })

  // Both keep their favorites: those of members are rows of their own.
  await sql`
    insert into member_favorites (user_id, item_id, member_id, created_at)
    select owner_id, id, cast(${fromMemberId} as text), favorite_at from items
    where id = ${folder.id} and favorite_at is not null
    union all
    select owner_id, id, cast(${fromMemberId} as text), favorite_at from items
    where ${isAmong(tx, 'parent_id', folderIds)} and favorite_at is not null
    on conflict do nothing`.execute(tx)
  const names = await claimNames(tx, [{ ...folder, parentId: to.driveRootId }], 'keepBoth')
  const name = names.get(folder.id) ?? folder.name
  await tx
    .updateTable('items')
    .set({ ...ownedBy(fromId, to), parent_id: to.driveRootId, ...nameColumns(name), updated_at: now })
    .where('id', '=', folder.id)
    .execute()
  await tx
    .updateTable('items')
    .set(ownedBy(fromId, to))
    .where(isAmong(tx, 'parent_id', folderIds))
    .execute()
  await changeRowsOfItems(tx, { folder, folderIds, fromId, toId: to.id })
  await noteArrival(tx, to, [folder.id])
  return whole
}

/**
 * Folders count as changed for the clients of the new owner. Groups of deletions are the old owner's. Who trashed an item is null if the
 * owner did.
 */
const ownedBy = (fromId: string, { id }: Pick<SessionUser, 'id'>) => ({
  owner_id: id,
  favorite_at: sql<number | null>`(select created_at from member_favorites
    where member_favorites.user_id = ${id} and member_favorites.item_id = items.id)`,
  deletion_group: null,
  trashed_by: sql<string | null>`case when trashed_at is null or trashed_by = ${id} then null
    else coalesce(trashed_by, ${fromId}) end`,
  trashed_by_email: sql<string | null>`case when trashed_at is null or trashed_by = ${id} then null
    when trashed_by is null then (select email from users where id = ${fromId}) else trashed_by_email end`,
  changed_in: sql<number>`case when kind = 'folder' then (select tree_version from users where id = ${id}) end`,
})

interface MovedRows {
  folder: Pick<ItemRow, 'id'>
  folderIds: readonly string[]
  fromId: string
  toId: string
}

/** Changes the rows of other tables that say whose an item is. The items have the new owner already. */
async function changeRowsOfItems(tx: Tx, { folder, folderIds, fromId, toId }: MovedRows): Promise<void> {
  const given = textTable(
    tx,
    ['id'],
    folderIds.map((id) => ({ id })),
  )
  const moved = sql`(select items.id from ${given} as given join items on items.parent_id = given.id
    union all select ${folder.id})`
  await sql`update versions set owner_id = ${toId} where item_id in ${moved}`.execute(tx)
  // What happened there. Where things came from outside, and with which apps of the old owner, is not for the new one.
  await sql`
    update activities set owner_id = ${toId}, label = case when via = 'app' then null else label end,
      origin_id = case when ${isAmong(tx, 'origin_id', folderIds)} then origin_id end,
      origin_name = case when ${isAmong(tx, 'origin_id', folderIds)} then origin_name end
    where owner_id = ${fromId} and ${isAmong(tx, 'folder_id', folderIds)}`.execute(tx)
  await sql`update public_links set owner_id = ${toId} where item_id in ${moved}`.execute(tx)
  await movePropertyBytes(tx, fromId, toId, moved)
  await sql`delete from search_pending where owner_id = ${fromId} and item_id in ${moved}`.execute(tx)
  await sql`
    insert into search_pending (owner_id, item_id, name, stamp)
    select owner_id, id, name, (select tree_version from users where users.id = ${toId}) from items
    where id in ${moved} and trash_id is null
    on conflict (owner_id, item_id) do update set name = excluded.name, stamp = excluded.stamp`.execute(tx)
}
