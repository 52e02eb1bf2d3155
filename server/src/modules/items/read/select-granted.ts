import { itemColumns } from '../../../platform/db/columns.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Value } from '../../../platform/db/prepared-query.ts'

/**
 * Selects the item that a signed address grants, if it still is its owner's and visible, and the account may be used. With the digest
 * of its bytes, and the time before which addresses of the owner were revoked.
 */
export const selectGranted = (db: Database, value: Value<{ id: string; owner: string }>) =>
  db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .leftJoin('blobs', 'blobs.key', 'items.blob_key')
    // Named, so that PostgreSQL plans it once per connection.
    .select(itemColumns.map((column) => `items.${column}` as const))
    .select(['users.grants_revoked_at', 'blobs.sha256'])
    .where('items.id', '=', value('id'))
    .where('items.owner_id', '=', value('owner'))
    .where('items.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
