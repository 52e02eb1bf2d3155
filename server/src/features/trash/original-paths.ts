import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

interface FolderStep {
  id: string
  name: string
  parent_id: string | null
}

/**
 * The paths of all folders that a user's trashed items lay in, like `/Photos/2024`, by the folders' ids. Each folder
 * above is read once, in one statement, however many items share it.
 */
export async function readOriginalPaths(db: Database, userId: string): Promise<Map<string, string>> {
  const { rows } = await sql<FolderStep>`
    with recursive above (id, name, parent_id) as (
      select id, name, parent_id from items
      where id in (select parent_id from items where owner_id = ${userId} and trashed_at is not null)
      union
      select parent.id, parent.name, parent.parent_id
      from above join items parent on parent.id = above.parent_id
    )
    select id, name, parent_id from above`.execute(db)
  const folders = new Map(rows.map((folder) => [folder.id, folder]))
  return new Map(rows.map(({ id }) => [id, `/${namesDownTo(folders, id).join('/')}`]))
}

/** The names of the folders from the topmost down to one; the root has none. */
function namesDownTo(folders: ReadonlyMap<string, FolderStep>, id: string): string[] {
  const names: string[] = []
  let folder = folders.get(id)
  while (folder?.parent_id) {
    names.unshift(folder.name)
    folder = folders.get(folder.parent_id)
  }
  return names
}
