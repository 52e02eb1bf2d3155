import type { Item } from '@alcove/contract/items'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'

/** Marks files whose stored bytes are known to be damaged. One statement, which reads one entry of an index if no bytes are. */
export async function withDamage<I extends Item>(db: Database, items: I[]): Promise<I[]> {
  const ids = items.filter(({ type }) => type === 'file').map(({ id }) => id)
  if (ids.length === 0) return items
  const rows = await db
    .selectFrom('items')
    .innerJoin('blobs', 'blobs.key', 'items.blob_key')
    .select('items.id')
    .where(sql<SqlBool>`exists (select 1 from blobs any_blob where any_blob.damaged_at is not null)`)
    .where(isAmong(db, 'items.id', ids))
    .where('blobs.damaged_at', 'is not', null)
    .execute()
  if (rows.length === 0) return items
  const damaged = new Set(rows.map(({ id }) => id))
  return items.map((item) => (damaged.has(item.id) ? { ...item, isDamaged: true } : item))
}
