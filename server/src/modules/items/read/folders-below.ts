import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/text-list.ts'

/** A folder, and the one of those asked for that it is or lies below. */
export interface FolderBelow {
  id: string
  top: string
}

/**
 * These folders and all visible ones below them, at any depth; none of them may lie below another. One statement, which
 * passes the files by.
 *
 * What is done with them is a statement of its own, that is handed the ids: inside one statement neither planner can
 * tell how many a walk will find, and both have taken a way that goes through all of them for each.
 */
export async function listFoldersBelow(db: Database, ids: readonly string[]): Promise<FolderBelow[]> {
  const { rows } = await sql<FolderBelow>`
    with recursive folders (id, top) as (
      select id, id from items where ${isAmong(db, 'id', ids)}
      union all
      select child.id, folders.top from folders
      join items child on child.parent_id = folders.id and child.kind = 'folder'
      where child.trash_id is null
    )
    select id, top from folders`.execute(db)
  return rows
}
