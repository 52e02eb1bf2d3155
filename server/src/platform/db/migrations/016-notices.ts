import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds notices. `tables.ts` describes the columns. */
export async function notices(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const ofUser = (column: ColumnDefinitionBuilder) => column.notNull().references('users.id').onDelete('cascade')

  await db.schema
    .createTable('notices')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('user_id', text, ofUser)
    .addColumn('kind', text, required)
    .addColumn('data', text, required)
    .addColumn('count', 'bigint', required)
    .addColumn('bundle', text)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('read_at', 'bigint')
    .addColumn('mail_due_at', 'bigint')
    .addColumn('mail_count', 'bigint', required)
    .$call(clustered)
    .execute()
  await db.schema.createIndex('notices_user').on('notices').columns(['user_id', 'created_at', 'id']).execute()
  // Nulls are distinct, so it also holds the unread notices without a bundle, which are counted by it.
  await db.schema
    .createIndex('notices_bundle')
    .unique()
    .on('notices')
    .columns(['user_id', 'bundle'])
    .where(sql.ref('read_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('notices_mail')
    .on('notices')
    .column('mail_due_at')
    .where(sql.ref('mail_due_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('notices_created').on('notices').column('created_at').execute()

  await db.schema
    .createTable('notice_settings')
    .addColumn('user_id', text, ofUser)
    .addColumn('kind', text, required)
    .addColumn('is_mailed', 'integer', required)
    .addPrimaryKeyConstraint('notice_settings_key', ['user_id', 'kind'])
    .$call(clustered)
    .execute()

  await db.schema
    .alterTable('users')
    .addColumn('storage_level', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
