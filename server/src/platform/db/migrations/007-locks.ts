import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds the write locks of WebDAV. `tables.ts` describes the columns. */
export async function locks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .alterTable('users')
    .addColumn('locked_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('locks')
    .addColumn('token', text, (column) => column.primaryKey())
    .addColumn('item_id', text, (column) => column.notNull().references('items.id').onDelete('cascade'))
    .addColumn('owner_id', text, required)
    .addColumn('scope', text, (column) => column.notNull().check(sql`scope in ('exclusive', 'shared')`))
    .addColumn('depth', text, (column) => column.notNull().check(sql`depth in ('0', 'infinity')`))
    .addColumn('holder', text, required)
    .addColumn('app', text, required)
    .addColumn('session_id', text, required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .$call(clustered)
    .execute()
  await db.schema.createIndex('locks_item').on('locks').column('item_id').execute()
  // The locks of a user that have not expired, and the last one to expire.
  await db.schema.createIndex('locks_owner').on('locks').columns(['owner_id', 'expires_at']).execute()
  await db.schema.createIndex('locks_expired').on('locks').column('expires_at').execute()
}
