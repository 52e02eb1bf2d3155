import type { ResponseOf } from '@alcove/contract/call'
import type { getFolder } from '@alcove/contract/files'
import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isShown } from '../mounts.ts'
import type { Place } from '../own-item.ts'
import { withMarks } from './member-marks.ts'
import { columnsOf, type PresentedRow, parentOf, presentFile, presentFolder } from './present-item.ts'
import { withMounts } from './present-mounts.ts'
import { listVisibleAncestors } from './tree-queries.ts'

/** Lists the items in a visible folder, in natural order of names. */
export function listChildren(
  db: Database,
  user: SessionUser,
  folder: Place,
  kind: ItemRow['kind'],
): Promise<PresentedRow[]> {
  return db
    .selectFrom('items')
    .select(columnsOf(folder.area))
    .where('parent_id', '=', folder.id)
    .where('kind', '=', kind)
    .where('trashed_at', 'is', null)
    .$if(kind === 'folder', (folders) => folders.where(isShown(user)))
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
}

/** Returns a folder with its contents and its ancestors. */
export async function readFolder(
  db: Database,
  user: SessionUser,
  folder: ItemRow,
): Promise<ResponseOf<typeof getFolder>> {
  const [path, folders, files] = await Promise.all([
    listVisibleAncestors(db, user, folder.id),
    listChildren(db, user, folder, 'folder'),
    listChildren(db, user, folder, 'file'),
  ])
  return {
    id: folder.id,
    name: folder.name,
    parentId: parentOf(folder, user),
    path,
    subFolders: await withMounts(
      { db, user },
      await withMarks(
        db,
        user,
        folders.map((row) => presentFolder(row, user)),
      ),
    ),
    files: await withMarks(
      db,
      user,
      files.map((row) => presentFile(row, user)),
    ),
  }
}
