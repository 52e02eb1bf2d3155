import type { ResponseOf } from '@alcove/contract/call'
import type { getFolder } from '@alcove/contract/files'
import type { Item } from '@alcove/contract/items'
import { MAX_ITEM_COUNT } from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { Services, SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import type { Place } from '../own-item.ts'
import { withMarks } from './member-marks.ts'
import { columnsOf, type PresentedRow, parentOf, presentFile, presentFolder } from './present-item.ts'
import { listVisibleAncestors } from './tree-queries.ts'

/** Lists the items in a visible folder, in natural order of names. */
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

/** Returns a folder with its contents and its ancestors. */
export async function readFolder(
  db: Database,
  user: SessionUser,
  folder: ItemRow,
): Promise<ResponseOf<typeof getFolder>> {
  const [path, folders, files] = await Promise.all([
    listVisibleAncestors(db, user, folder.id),
    listChildren(db, folder, 'folder'),
    listChildren(db, folder, 'file'),
  ])
  return {
    id: folder.id,
    name: folder.name,
    parentId: parentOf(folder, user),
    path,
    subFolders: await withMarks(
      db,
      user,
      folders.map((row) => presentFolder(row, user)),
    ),
    files: await withMarks(
      db,
      user,
      files.map((row) => presentFile(row, user)),
    ),
  }
}

/**
 * Adds to each folder of a list the number of items directly in it, using the index of the tree. Counting stops at one
 * more than `MAX_ITEM_COUNT`, so that a page of huge folders costs no more than reading a few pages. One statement, or
 * none if there are no folders.
 */
export async function withItemCounts<I extends Item>({ db }: Pick<Services, 'db'>, items: I[]): Promise<I[]> {
  const ids = items.filter(({ type }) => type === 'folder').map(({ id }) => id)
  if (ids.length === 0) return items
  const totals = await countItemsIn(db, ids)
  return items.map((item) => (item.type === 'folder' ? { ...item, itemCount: totals.get(item.id) ?? 0 } : item))
}

/** Counts the items directly in each of these folders, as `withItemCounts` does. */
export async function countItemsIn(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; total: number | string }>`
    select folders.id, (
      select count(*) from (
        select 1 from items inside where inside.parent_id = folders.id and inside.trashed_at is null
        limit ${MAX_ITEM_COUNT + 1}
      ) counted
    ) as total
    from items folders where ${isAmong(db, 'folders.id', ids)}`.execute(db)
  return new Map(rows.map(({ id, total }) => [id, Number(total)]))
}
