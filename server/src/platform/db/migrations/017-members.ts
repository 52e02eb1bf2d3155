import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Lets people share folders with each other. `tables.ts` describes the columns. */
export async function members(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('members')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('folder_id', text, (column) => column.notNull().references('items.id').onDelete('cascade'))
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('email', text, required)
    .addColumn('role', text, (column) =>
      column.notNull().check(sql`role in ('viewer', 'contributor', 'editor', 'manager')`),
    )
    .addColumn('invited_by', text, required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('accepted_at', 'bigint')
    .addCheckConstraint('members_accepted', sql`(user_id is null) = (accepted_at is null)`)
    .$call(clustered)
    .execute()
  await db.schema.createIndex('members_folder').on('members').columns(['folder_id', 'email']).unique().execute()
  await db.schema
    .createIndex('members_user')
    .on('members')
    .columns(['user_id', 'folder_id'])
    .unique()
    .where(sql.ref('user_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('members_invited')
    .on('members')
    .columns(['email', 'created_at'])
    .where(sql.ref('accepted_at'), 'is', null)
    .execute()
  await db.schema.createIndex('members_owner').on('members').columns(['owner_id', 'id']).execute()

  await db.schema
    .alterTable('uploads')
    .addColumn('member_id', text, (column) => column.references('members.id').onDelete('set null'))
    .execute()
  await db.schema
    .createIndex('uploads_member')
    .on('uploads')
    .columns(['member_id', 'completed_at'])
    .where(sql.ref('member_id'), 'is not', null)
    .execute()
}
