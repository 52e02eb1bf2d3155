import { sql } from 'kysely'
import type { SessionUser } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong, textTable } from '../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { changeTree } from './change-tree.ts'
import { measureFolders } from './read/measure-folder.ts'
import { getTreeState, noteTreeState } from './tree-state.ts'
import type { TreeContext } from './tree-version.ts'

/**
 * Sync clients ask a folder whether anything below it has changed, at any depth. For users who have such a client, each change
 * marks the folders above it with the version of the trees, and keeps their total sizes right: a few statements, however much
 * lies below. For other users it costs nothing.
 */

type Changing = Pick<SessionUser, 'id'>

/** A folder in which something changes, and by how many bytes its contents grow. Null if that isn't known. */
interface FolderChange {
  id: string
  growth: number | null
}

/** Notes that an item of a folder changes, and by how many bytes it grows. The user's tree must be locked. */
export async function noteChange(tx: Tx, user: Changing, folderId: string, growth: number): Promise<void> {
  if (await isFollowed(tx, user)) await markAbove(tx, user, [{ id: folderId, growth }])
}

/** Notes that files have been added to folders. The user's tree must be locked. */
export async function noteFilesAdded(
  tx: Tx,
  user: Changing,
  files: readonly { folderId: string; size: number }[],
): Promise<void> {
  if (files.length === 0 || !(await isFollowed(tx, user))) return
  const byFolder = Map.groupBy(files, ({ folderId }) => folderId)
  const changes = [...byFolder].map(([id, some]) => ({ id, growth: some.reduce((sum, { size }) => sum + size, 0) }))
  await markAbove(tx, user, changes)
}

/** Notes that items have arrived where they are now. The user's tree must be locked. */
export async function noteArrival(tx: Tx, user: Changing, itemIds: readonly string[]): Promise<void> {
  if (await isFollowed(tx, user)) await markAbove(tx, user, await sumByFolder(tx, itemIds, 1))
}

/** Notes that items are about to leave where they are now. The user's tree must be locked. */
export async function noteDeparture(tx: Tx, user: Changing, itemIds: readonly string[]): Promise<void> {
  if (await isFollowed(tx, user)) await markAbove(tx, user, await sumByFolder(tx, itemIds, -1))
}

async function isFollowed(tx: Tx, user: Changing): Promise<boolean> {
  return (await getTreeState(tx, user.id)).followed_since !== null
}

/** Sums the sizes of items by their folder. A folder that was never measured makes the sum unknown. */
async function sumByFolder(tx: Tx, itemIds: readonly string[], sign: 1 | -1): Promise<FolderChange[]> {
  const { rows } = await sql<{ id: string; total: number | string | null }>`
    select parent_id as id, case when count(*) = count(coalesce(blob_size, tree_size)) then sum(coalesce(blob_size, tree_size)) end as total
    from (
      select parent_id, tree_size, case when kind = 'file' or mount_of is not null then size end as blob_size from items
      where ${isAmong(tx, 'id', itemIds)}
    ) as moving
    group by parent_id`.execute(tx)
  // PostgreSQL returns sums as text.
  return rows.map(({ id, total }) => ({ id, growth: total === null ? null : sign * Number(total) }))
}

/** Marks folders and all folders above them as changed, and adds the growth to their sizes. */
async function markAbove(tx: Tx, user: Changing, changes: readonly FolderChange[]): Promise<void> {
  if (changes.length === 0) return
  const given = textTable(
    tx,
    ['id', 'growth'],
    changes.map(({ id, growth }) => ({ id, growth: growth === null ? null : String(growth) })),
  )
  const { rows } = await sql<{ id: string; growth: number | string | null }>`
    with recursive above (id, growth) as (
      select folder.id, cast(given.growth as bigint) from ${given} as given join items folder on folder.id = given.id
      union all
      select folder.parent_id, above.growth from above join items folder on folder.id = above.id
      where folder.parent_id is not null
    )
    select id, case when count(*) = count(growth) then sum(growth) end as growth from above group by id`.execute(tx)
  const marked = textTable(
    tx,
    ['id', 'growth'],
    rows.map(({ id, growth }) => ({ id, growth: growth === null ? null : String(growth) })),
  )
  await sql`
    update items set tree_size = tree_size + cast(given.growth as bigint),
      changed_in = (select tree_version from users where users.id = ${user.id})
    from ${marked} as given where items.id = given.id`.execute(tx)
}

/** Returns whether clients follow changes of the user's folders, and begins to note them if none did so far. */
export async function followFolders(ctx: TreeContext): Promise<number> {
  const { db, user } = ctx
  const { followed_since } = await getTreeState(db, user.id)
  if (followed_since !== null) return followed_since
  return changeTree(ctx, async (tx) => {
    const state = await tx
      .updateTable('users')
      .set((eb) => ({ followed_since: eb.fn.coalesce('followed_since', 'tree_version') }))
      .where('id', '=', user.id)
      .returning(['locked_until', 'followed_since'])
      .executeTakeFirstOrThrow()
    noteTreeState(tx, user.id, state)
    return state.followed_since as number
  })
}

/**
 * Returns a text that changes whenever anything in a folder or below it does. Folders that have not changed since clients follow
 * them share a version.
 */
export function folderTag({ id, changed_in }: Pick<ItemRow, 'id' | 'changed_in'>, followedSince: number): string {
  return `${id}-${Math.max(changed_in ?? 0, followedSince)}`
}

/**
 * Returns the total sizes of folders in bytes, by their ids. Measures them the first time, all with two statements, and keeps that
 * unless something changes meanwhile. None of the folders may lie below another.
 */
export async function readTreeSizes(
  { db, user }: { db: Database; user: Changing },
  folders: readonly Pick<ItemRow, 'id' | 'tree_size'>[],
): Promise<Map<string, number>> {
  const known = folders.flatMap(({ id, tree_size }): [string, number][] =>
    tree_size === null ? [] : [[id, tree_size]],
  )
  const unknown = folders.filter(({ tree_size }) => tree_size === null).map(({ id }) => id)
  if (unknown.length === 0) return new Map(known)
  const { tree_version } = await db
    .selectFrom('users')
    .select('tree_version')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const measured = await measureFolders(db, unknown)
  await db.transaction().execute(async (tx) => {
    // Locks the trees. If somebody is just changing them, the version differs once that is done.
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ tree_version })
      .where('id', '=', user.id)
      .where('tree_version', '=', tree_version)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    const sizes = textTable(
      tx,
      ['id', 'size'],
      [...measured].map(([id, size]) => ({ id, size: String(size) })),
    )
    await sql`update items set tree_size = cast(given.size as bigint) from ${sizes} as given where items.id = given.id`.execute(
      tx,
    )
  })
  return new Map([...known, ...measured])
}
