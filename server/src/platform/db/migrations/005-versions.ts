import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Keeps the bytes of replaced files as versions. `tables.ts` describes the columns. */
export async function versions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .alterTable('users')
    .addColumn('version_bytes', 'bigint', (column) => zero(column).check(sql`version_bytes >= 0`))
    .execute()
  await db.schema.alterTable('items').addColumn('restored_version', text).execute()
  await db.schema.alterTable('items').addColumn('replaced_at', 'bigint').execute()
  await db.schema.alterTable('items').addColumn('replaced_in', text).execute()
  await db.schema.alterTable('uploads').addColumn('thinned_bytes', 'bigint', zero).execute()

  await db.schema
    .createTable('versions')
    .addColumn('id', text, (column) => column.primaryKey())
    // No cascade: whoever deletes a file must release the bytes of its versions too.
    .addColumn('item_id', text, (column) => column.notNull().references('items.id'))
    .addColumn('owner_id', text, required)
    .addColumn('blob_key', text, (column) => column.notNull().references('blobs.key'))
    .addColumn('size', 'bigint', required)
    .addColumn('modified_at', 'bigint', required)
    .addColumn('vault_check', text)
    .addColumn('created_at', 'bigint', required)
    .addColumn('author_id', text, required)
    .addColumn('device', text, required)
    .addColumn('name', text)
    .$call(clustered)
    .execute()
  // The history of a file, in which no two versions have the same time.
  await db.schema.createIndex('versions_item').unique().on('versions').columns(['item_id', 'created_at']).execute()
  await db.schema.createIndex('versions_blob').on('versions').column('blob_key').execute()
  // What can make space, oldest first.
  await db.schema.createIndex('versions_owner').on('versions').columns(['owner_id', 'created_at', 'id']).execute()
}
