import type { Database } from '../../platform/db/database.ts'
import { textList } from '../../platform/db/text-list.ts'

interface FolderStep {
  id: string
  name: string
  parent_id: string | null
}

/**
 * The paths of folders, like `/Photos/2024`, by their ids; the root's is empty. Each folder above is read once, in one
 * statement, however many share it.
 */
export async function readFolderPaths(db: Database, folderIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(folderIds)]
  if (ids.length === 0) return new Map()
  const rows: FolderStep[] = await db
    .withRecursive('above(id, name, parent_id)', (query) =>
      query
        .selectFrom('items')
        .select(['id', 'name', 'parent_id'])
        .where('id', 'in', textList(db, ids))
        .union((eb) =>
          eb
            .selectFrom('above')
            .innerJoin('items as parent', 'parent.id', 'above.parent_id')
            .select(['parent.id', 'parent.name', 'parent.parent_id']),
        ),
    )
    .selectFrom('above')
    .select(['id', 'name', 'parent_id'])
    .execute()
  const folders = new Map(rows.map((folder) => [folder.id, folder]))
  const paths = new Map<string, string>()
  for (const id of ids) paths.set(id, pathOf(folders, paths, id))
  return paths
}

function pathOf(folders: ReadonlyMap<string, FolderStep>, paths: Map<string, string>, id: string): string {
  const known = paths.get(id)
  if (known !== undefined) return known
  const folder = folders.get(id)
  if (!folder?.parent_id) return ''
  const path = `${pathOf(folders, paths, folder.parent_id)}/${folder.name}`
  paths.set(id, path)
  return path
}
