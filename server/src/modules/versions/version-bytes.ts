import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'

/** Returns a file with the bytes, size and date that it has in one of its versions. Throws 'not found' for any other id. */
export async function asVersion(db: Database, file: ItemRow, versionId: string): Promise<ItemRow> {
  const version = await db
    .selectFrom('versions')
    .select(['blob_key', 'size', 'modified_at', 'vault_check'])
    .where('id', '=', versionId)
    .where('item_id', '=', file.id)
    .executeTakeFirst()
  if (!version) throw notFound('version')
  return { ...file, ...version }
}
