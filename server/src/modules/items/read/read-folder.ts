import type { ResponseOf } from '@alcove/contract/call'
import type { getFolder } from '@alcove/contract/files'
import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import type { Place } from '../own-item.ts'
import { listAncestors } from './item-path.ts'
import { columnsOf, type PresentedRow, presentFile, presentFolder, withoutRoot } from './present-item.ts'

/** What lies in a folder that is itself visible, in natural order of names. */
export function listChildren(db: Database, folder: Place, kind: ItemRow['kind']): Promise<PresentedRow[]> {
  return db
    .selectFrom('items')
    .select(columnsOf(folder.area))
    .where('parent_id', '=', folder.id)
    .where('kind', '=', kind)
    .where('trashed_at', 'is', null)
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
}

/** A folder with all that is in it, and the folders above it. */
export async function readFolder(
  db: Database,
  user: SessionUser,
  folder: ItemRow,
): Promise<ResponseOf<typeof getFolder>> {
  const [path, folders, files] = await Promise.all([
    listAncestors(db, folder.id),
    listChildren(db, folder, 'folder'),
    listChildren(db, folder, 'file'),
  ])
  return {
    id: folder.id,
    name: folder.name,
    parentId: withoutRoot(folder.parent_id, user),
    path,
    subFolders: folders.map((row) => presentFolder(row, user)),
    files: files.map((row) => presentFile(row, user)),
  }
}
