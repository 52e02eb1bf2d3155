import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds the properties that WebDAV clients store with files and folders. `tables.ts` describes the columns. */
export async function itemProperties(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .alterTable('users')
    .addColumn('property_bytes', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`property_bytes >= 0`))
    .execute()

  await db.schema
    .createTable('item_properties')
    .addColumn('item_id', text, (column) => column.notNull().references('items.id').onDelete('cascade'))
    .addColumn('namespace', text, required)
    .addColumn('name', text, required)
    .addColumn('language', text)
    .addColumn('value', text, required)
    .addColumn('size', 'integer', required)
    .addPrimaryKeyConstraint('item_properties_key', ['item_id', 'namespace', 'name'])
    .$call(clustered)
    .execute()
}
