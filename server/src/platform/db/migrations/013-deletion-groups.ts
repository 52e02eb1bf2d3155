import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds groups of the deletions of apps. `tables.ts` describes the columns. */
export async function deletionGroups(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('deletion_groups')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    // Without a reference, because the group outlives the app password.
    .addColumn('app_password_id', text, required)
    .addColumn('app_password_name', text, required)
    .addColumn('app', text, required)
    .addColumn('started_at', 'bigint', required)
    .addColumn('last_at', 'bigint', required)
    .addColumn('files', 'bigint', required)
    .addColumn('total_files', 'bigint')
    .addColumn('alarmed_at', 'bigint')
    .addColumn('dismissed_at', 'bigint')
    .addColumn('restored_at', 'bigint')
    .$call(clustered)
    .execute()
  await db.schema
    .createIndex('deletion_groups_recent')
    .on('deletion_groups')
    .columns(['user_id', 'app_password_id', 'last_at'])
    .execute()
  await db.schema
    .createIndex('deletion_groups_alarmed')
    .on('deletion_groups')
    .columns(['user_id', 'alarmed_at'])
    .where(sql.ref('alarmed_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('deletion_groups_last').on('deletion_groups').column('last_at').execute()

  // Without a reference, because removing a group must not change its items, of which there may be very many.
  await db.schema.alterTable('items').addColumn('deletion_group', text).execute()
  await db.schema
    .createIndex('items_deletion_group')
    .on('items')
    .column('deletion_group')
    .where(sql.ref('deletion_group'), 'is not', null)
    .execute()
}
