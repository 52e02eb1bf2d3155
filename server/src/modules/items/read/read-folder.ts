import type { ResponseOf } from '@alcove/contract/call'
import type { getFolder } from '@alcove/contract/files'
import type { File } from '@alcove/contract/items'
import { type SqlBool, sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
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

/** Lists the items in a visible folder, in natural order of names. */
export async function listChildren(
  db: Database,
  user: SessionUser,
  folder: Place,
  kind: ItemRow['kind'],
): Promise<PresentedRow[]> {
  const rows = await selectChildren(db, folder, kind)
    .$if(kind === 'folder', (folders) => folders.where(isShown(user)))
    .execute()
  return withFolder(rows, folder, kind)
}

function selectChildren(db: Database, folder: Place, kind: ItemRow['kind']) {
  return db
    .selectFrom('items')
    .select(columnsOfChildren(folder.area))
    .where('parent_id', '=', folder.id)
    .where('kind', '=', kind)
    .where('trashed_at', 'is', null)
    .orderBy('sort_key')
    .orderBy('id')
}

/** Files per page: a few megabytes. Most folders have one. */
const PAGE = 5000

/** Lists the files in a visible folder, as the API presents them, in pages. In natural order of names. */
export async function* listFilePages(db: Database, user: SessionUser, folder: Place): AsyncGenerator<File[]> {
  for await (const rows of listFileRows(db, folder)) {
    yield await withMarks(
      db,
      user,
      rows.map((row) => presentFile(row, user)),
    )
  }
}

/** Reads the files in a folder in pages, in natural order of names. */
export async function* listFileRows(db: Database, folder: Place): AsyncGenerator<PresentedRow[]> {
  let last: ChildRow | undefined
  do {
    const position = last && sql`(${sortKey(last.name)}, ${last.id})`
    const rows: ChildRow[] = await selectChildren(db, folder, 'file')
      .$if(position !== undefined, (files) => files.where(sql<SqlBool>`(sort_key, id) > ${position}`))
      .limit(PAGE)
      .execute()
    yield withFolder(rows, folder, 'file')
    last = rows.length < PAGE ? undefined : rows.at(-1)
  } while (last)
}

/** Returns a folder with its contents and its ancestors. */
export async function readFolder(db: Database, user: SessionUser, folder: ItemRow): Promise<PagedResult> {
  const [path, folders] = await Promise.all([
    listVisibleAncestors(db, user, folder.id),
    listChildren(db, user, folder, 'folder'),
  ])
  const others: Omit<ResponseOf<typeof getFolder>, 'files'> = {
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
  }
  return new PagedResult({ key: 'files', others }, listFilePages(db, user, folder))
}
