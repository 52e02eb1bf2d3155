import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { type PresentedRow, presentedColumns } from '../../tree/present-item.ts'

/** What lies in a folder that is itself visible, in natural order of names. */
export function listChildren(db: Database, parentId: string, kind: ItemRow['kind']): Promise<PresentedRow[]> {
  return db
    .selectFrom('items')
    .select(presentedColumns)
    .where('parent_id', '=', parentId)
    .where('kind', '=', kind)
    .where('trashed_at', 'is', null)
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
}
