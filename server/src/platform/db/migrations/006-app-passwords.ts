import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds app passwords. `tables.ts` describes the columns. */
export async function appPasswords(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('app_passwords')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', text, required)
    .addColumn('scope', text, (column) => column.notNull().check(sql`scope in ('read', 'write', 'upload')`))
    // A password for one folder must never work for more once that folder is gone.
    .addColumn('folder_id', text, (column) => column.references('items.id').onDelete('cascade'))
    .addColumn('secret_hash', text, (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('app', text)
    .addColumn('ip', text)
    .$call(clustered)
    .execute()
  await db.schema.createIndex('app_passwords_user').on('app_passwords').columns(['user_id', 'created_at']).execute()
  await db.schema
    .createIndex('app_passwords_folder')
    .on('app_passwords')
    .column('folder_id')
    .where(sql.ref('folder_id'), 'is not', null)
    .execute()
}
