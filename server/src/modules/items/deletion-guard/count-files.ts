import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'

/** Returns the number of files among trashed items and in trashed folders. One statement, or none without folders. */
export async function countFiles(db: Database, items: readonly Pick<ItemRow, 'id' | 'kind'>[]): Promise<number> {
  const folders = items.filter(({ kind }) => kind === 'folder').map(({ id }) => id)
  const files = items.length - folders.length
  if (folders.length === 0) return files
  const inside = await db
    .selectFrom('items')
    .select((eb) => eb.fn.countAll().as('files'))
    .where(isAmong(db, 'trash_id', folders))
    .where('trashed_at', 'is', null)
    .where('kind', '=', 'file')
    .executeTakeFirstOrThrow()
  // PostgreSQL returns counts as text.
  return files + Number(inside.files)
}
