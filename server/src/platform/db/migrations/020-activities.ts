import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds what happened in folders. `tables.ts` describes the columns. */
export async function activities(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('activities')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('folder_id', text, required)
    .addColumn('folder_name', text, required)
    .addColumn('origin_id', text)
    .addColumn('origin_name', text)
    .addColumn('actor_id', text)
    .addColumn('via', text, required)
    .addColumn('label', text)
    .addColumn('action', text, required)
    .addColumn('count', 'bigint', required)
    .addColumn('folder_count', 'bigint', required)
    .addColumn('items', text, required)
    .addColumn('shown', 'integer', required)
    .addColumn('bundle', text, required)
    .addColumn('began_at', 'bigint', required)
    .addColumn('last_at', 'bigint', required)
    .$call(clustered)
    .execute()
  // No index has a column that changes when something is added to a row.
  await db.schema.createIndex('activities_bundle').unique().on('activities').columns(['owner_id', 'bundle']).execute()
  await db.schema.createIndex('activities_owner').on('activities').columns(['owner_id', 'began_at', 'id']).execute()
  await db.schema
    .createIndex('activities_folder')
    .on('activities')
    .columns(['owner_id', 'folder_id', 'origin_id'])
    .execute()
  await db.schema.createIndex('activities_began').on('activities').column('began_at').execute()
}
