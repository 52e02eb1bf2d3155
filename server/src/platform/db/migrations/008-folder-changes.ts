import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Lets sync clients follow changes of folders, and gives items numbers for them. `tables.ts` describes the columns. */
export async function folderChanges(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  await db.schema.alterTable('users').addColumn('followed_since', 'bigint').execute()
  await db.schema.alterTable('items').addColumn('changed_in', 'bigint').execute()
  await db.schema.alterTable('items').addColumn('tree_size', 'bigint').execute()
  await db.schema
    .createTable('file_numbers')
    .addColumn('item_id', text, (column) => column.primaryKey().references('items.id').onDelete('cascade'))
    .addColumn('number', 'bigint', (column) => column.notNull().unique().check(sql`number > 0`))
    .$call(clustered)
    .execute()
}
