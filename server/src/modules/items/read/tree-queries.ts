import { MAX_DEPTH } from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { executePlanned } from '../../../platform/db/prepared-query.ts'

interface Ancestor {
  id: string
  name: string
}

/**
 * Returns an item's ancestors from the top, without the root and the item itself. With `top`, returns only those below that
 * folder. One statement at any depth.
 */
export async function listAncestors(db: Database, itemId: string, top?: string): Promise<Ancestor[]> {
  const { rows } = await sql<Ancestor>`
    with recursive ancestors (id, name, parent_id, height) as (
      select parent.id, parent.name, parent.parent_id, 1
      from items item join items parent on parent.id = item.parent_id where item.id = ${itemId}
      union all
      select parent.id, parent.name, parent.parent_id, ancestors.height + 1
      from ancestors join items parent on parent.id = ancestors.parent_id
    )
    select id, name from ancestors where parent_id is not null order by height desc`.execute(db)
  return rows.slice(rows.findIndex(({ id }) => id === top) + 1)
}

/** Returns the ancestors that a user sees: those below the root, and for a member the shared folder and those below it. */
export async function listVisibleAncestors(
  db: Database,
  { member, driveRootId }: Pick<SessionUser, 'member' | 'driveRootId'>,
  itemId: string,
): Promise<Ancestor[]> {
  if (!member) return listAncestors(db, itemId, driveRootId)
  const ancestors = await listAncestors(db, itemId)
  const shared = ancestors.findIndex(({ id }) => id === driveRootId)
  return shared === -1 ? [] : ancestors.slice(shared)
}

/** Checks whether `id` is `ancestorId` or lies below it. */
export async function isWithin(db: Database, id: string, ancestorId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with recursive chain (id, parent_id) as (
      select id, parent_id from items where id = ${id}
      union all
      select parent.id, parent.parent_id from chain join items parent on parent.id = chain.parent_id
    )
    select id from chain where id = ${ancestorId}`.execute(db)
  return rows.length > 0
}

/** Throws if a folder is too deep for `levels` more below it. */
export async function assertDepthBelow(db: Database, folderId: string, levels: number): Promise<void> {
  const ancestors = await listAncestors(db, folderId)
  if (ancestors.length + 1 + levels > MAX_DEPTH) {
    throw tooDeep()
  }
}

export function tooDeep(): AppError {
  return new AppError('malformed', `Folders can be nested at most ${MAX_DEPTH} levels deep.`)
}

/** Returns the number of levels a folder spans, including itself. One statement. */
export async function measureHeight(db: Database, folderId: string): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    with recursive below (id, height) as (
      select id, 1 from items where id = ${folderId}
      union all
      select child.id, below.height + 1 from below join items child on child.parent_id = below.id
      where child.kind = 'folder'
    )
    select max(height) as height from below`.execute(db)
  return Number(rows[0]?.height ?? 1)
}

/** A folder, and the requested folder that it is or lies below. */
interface FolderBelow {
  id: string
  top: string
  mount_of: string | null
}

/**
 * Returns these folders and all visible folders below them, at any depth. None of them may lie below another. One
 * statement, which doesn't read files. Callers pass the ids to a separate statement: within one statement neither
 * database's planner can estimate how many rows the recursion finds, and both have chosen plans that scan all of them
 * for each.
 */
export async function listFoldersBelow(db: Database, ids: readonly string[]): Promise<FolderBelow[]> {
  const { rows } = await sql<FolderBelow>`
    with recursive folders (id, top, mount_of) as (
      select id, id, mount_of from items where ${isAmong(db, 'id', ids)}
      union all
      select child.id, folders.top, child.mount_of from folders
      join items child on child.parent_id = folders.id and child.kind = 'folder'
      where child.trash_id is null
    )
    select id, top, mount_of from folders`.execute(db)
  return rows
}

interface FolderStep {
  id: string
  name: string
  parent_id: string | null
}

/**
 * Returns the paths of folders, like `/Photos/2024`, by their ids; a root's path is empty, and so is that of `top`. One
 * statement, which reads each shared ancestor once.
 */
export async function readFolderPaths(
  db: Database,
  ids: readonly string[],
  top?: string,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await executePlanned(
    db,
    sql<FolderStep>`
      with recursive above (id, name, parent_id) as (
        select id, name, parent_id from items where ${isAmong(db, 'id', ids)}
        union
        select parent.id, parent.name, parent.parent_id
        from above join items parent on parent.id = above.parent_id
      )
      select id, name, parent_id from above`,
  )
  const folders = new Map(rows.map((folder) => [folder.id, folder]))
  const paths = new Map<string, string>()
  const pathOf = (id: string): string => {
    const known = paths.get(id)
    if (known !== undefined) return known
    const folder = folders.get(id)
    const path = folder?.parent_id && id !== top ? `${pathOf(folder.parent_id)}/${folder.name}` : ''
    paths.set(id, path)
    return path
  }
  return new Map(ids.map((id) => [id, pathOf(id)]))
}
