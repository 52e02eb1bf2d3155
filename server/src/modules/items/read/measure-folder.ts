import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { textTable } from '../../../platform/db/portable-sql.ts'
import { listFoldersBelow } from './tree-queries.ts'

/** The visible contents of a folder, at any depth. */
export interface FolderContents {
  folders: number
  files: number
  /** The total size of the files, in bytes. */
  size: number
}

interface Measured {
  /** A folder can get another owner, whose version may be the same by chance. */
  ownerId: string
  treeVersion: number
  contents: Promise<FolderContents>
}

const MAX_KEPT = 1000
/** The latest measurements, by database and folder. */
const kept = new WeakMap<Database, Map<string, Measured>>()

/** Measures a folder with two statements, however much is below it. Mounts don't count. */
export async function measureFolder(db: Database, folderId: string): Promise<FolderContents> {
  const folders = await listFoldersBelow(db, [folderId])
  const { rows } = await sql<{ count: number; size: number | null }>`
    select count(*) as count, sum(items.size) as size from ${textTable(db, ['id'], folders)} as given
    join items on items.parent_id = given.id where items.trash_id is null`.execute(db)
  const below = folders.length - 1
  const mounts = folders.filter(({ mount_of }) => mount_of !== null).length
  // PostgreSQL returns sums as text; the sum is null if there are no files.
  return { folders: below - mounts, files: Number(rows[0]?.count) - below, size: Number(rows[0]?.size ?? 0) }
}

/**
 * Returns the total sizes of the visible files below folders, by the folders' ids. Two statements. None of the folders may lie below
 * another.
 */
export async function measureFolders(db: Database, folderIds: readonly string[]): Promise<Map<string, number>> {
  const folders = (await listFoldersBelow(db, folderIds)).map(({ id, top }) => ({ id, top }))
  const { rows } = await sql<{ id: string; size: number | string | null }>`
    select given.top as id, sum(items.size) as size from ${textTable(db, ['id', 'top'], folders)} as given
    left join items on items.parent_id = given.id and items.trash_id is null
    group by given.top`.execute(db)
  return new Map(rows.map(({ id, size }) => [id, Number(size ?? 0)]))
}

/**
 * Measures a folder for visitors of a public link, who may be many. The result is cached until the owner's tree
 * changes, and concurrent requests share one measurement.
 */
export async function measureFolderOnce(db: Database, ownerId: string, folderId: string): Promise<FolderContents> {
  const { tree_version: treeVersion } = await db
    .selectFrom('users')
    .select('tree_version')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const measured = kept.get(db) ?? new Map<string, Measured>()
  kept.set(db, measured)
  const known = measured.get(folderId)
  if (known?.treeVersion === treeVersion && known.ownerId === ownerId) return known.contents
  const contents = measureFolder(db, folderId)
  contents.catch(() => measured.delete(folderId))
  measured.delete(folderId)
  measured.set(folderId, { ownerId, treeVersion, contents })
  const [oldest] = measured.keys()
  if (measured.size > MAX_KEPT && oldest !== undefined) measured.delete(oldest)
  return contents
}
