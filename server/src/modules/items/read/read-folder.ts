import type { ResponseOf } from '@alcove/contract/call'
import type { getFolder } from '@alcove/contract/files'
import type { File, Folder } from '@alcove/contract/items'
import { type RawBuilder, sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { mapPages, readPages } from '../../../platform/db/read-pages.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { PagedResult } from '../../../platform/http/paged-result.ts'
import { isShown } from '../mounts.ts'
import { sortKey } from '../names.ts'
import type { Place } from '../own-item.ts'
import { withMarks } from './member-marks.ts'
import {
  type ChildRow,
  columnsOfChildren,
  type PresentedRow,
  parentOf,
  presentFile,
  presentFolder,
  withFolder,
} from './present-item.ts'
import { withMounts } from './present-mounts.ts'
import { listVisibleAncestors } from './tree-queries.ts'

/** Lists the files in a visible folder, as the API presents them, in pages. In natural order of names. */
export function listFilePages(db: Database, user: SessionUser, folder: Place): AsyncGenerator<File[]> {
  return mapPages(listFileRows(db, folder), (rows) =>
    withMarks(
      db,
      user,
      rows.map((row) => presentFile(row, user)),
    ),
  )
}

/** Lists the folders in a visible folder, as the API presents them, in pages. In natural order of names. */
export function listFolderPages(db: Database, user: SessionUser, folder: Place): AsyncGenerator<Folder[]> {
  return mapPages(listFolderRows(db, folder, isShown(user)), async (rows) =>
    withMounts(
      { db, user },
      await withMarks(
        db,
        user,
        rows.map((row) => presentFolder(row, user)),
      ),
    ),
  )
}

/** Reads the files in a folder in pages, in natural order of names. */
export function listFileRows(db: Database, folder: Place): AsyncGenerator<PresentedRow[]> {
  return listRows(db, folder, 'file')
}

/** Reads the folders in a folder that a condition selects in pages, in natural order of names. */
export function listFolderRows(
  db: Database,
  folder: Place,
  isSelected: RawBuilder<boolean>,
): AsyncGenerator<PresentedRow[]> {
  return listRows(db, folder, 'folder', isSelected)
}

function listRows(
  db: Database,
  folder: Place,
  kind: ItemRow['kind'],
  isSelected?: RawBuilder<boolean>,
): AsyncGenerator<PresentedRow[]> {
  const rows = readPages<ChildRow>((last, limit) =>
    db
      .selectFrom('items')
      .select(columnsOfChildren(folder.area))
      .where('parent_id', '=', folder.id)
      .where('kind', '=', kind)
      .where('trashed_at', 'is', null)
      .$if(isSelected !== undefined, (items) => items.where(isSelected as RawBuilder<boolean>))
      .$if(last !== undefined, (items) => items.where(isAfter(last as ChildRow)))
      .orderBy('sort_key')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  return mapPages(rows, (page) => withFolder(page, folder, kind))
}

/** Limits a list in natural order of names to the items after one. */
export function isAfter({ id, name }: Pick<ItemRow, 'id' | 'name'>): RawBuilder<boolean> {
  return sql<boolean>`(items.sort_key, items.id) > (${sortKey(name)}, ${id})`
}

/** Returns a folder with its contents and its ancestors. */
export async function readFolder(db: Database, user: SessionUser, folder: ItemRow): Promise<PagedResult> {
  const others: Omit<ResponseOf<typeof getFolder>, 'subFolders' | 'files'> = {
    id: folder.id,
    name: folder.name,
    parentId: parentOf(folder, user),
    path: await listVisibleAncestors(db, user, folder.id),
  }
  const lists = { subFolders: listFolderPages(db, user, folder), files: listFilePages(db, user, folder) }
  return new PagedResult(lists, others)
}
