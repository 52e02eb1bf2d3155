import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/text-list.ts'

interface FolderStep {
  id: string
  name: string
  parent_id: string | null
}

/**
 * The paths of folders, like `/Photos/2024`, by their ids; a root's is empty. Each folder above is read once, in one
 * statement, however many share it.
 */
export async function readFolderPaths(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<FolderStep>`
    with recursive above (id, name, parent_id) as (
      select id, name, parent_id from items where ${isAmong(db, 'id', ids)}
      union
      select parent.id, parent.name, parent.parent_id
      from above join items parent on parent.id = above.parent_id
    )
    select id, name, parent_id from above`.execute(db)
  const folders = new Map(rows.map((folder) => [folder.id, folder]))
  const paths = new Map<string, string>()
  const pathOf = (id: string): string => {
    const known = paths.get(id)
    if (known !== undefined) return known
    const folder = folders.get(id)
    const path = folder?.parent_id ? `${pathOf(folder.parent_id)}/${folder.name}` : ''
    paths.set(id, path)
    return path
  }
  return new Map(ids.map((id) => [id, pathOf(id)]))
}
