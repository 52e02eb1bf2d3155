import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds groups of people, with which folders are shared. `tables.ts` describes the columns. */
export async function peopleGroups(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const ofGroup = (column: ColumnDefinitionBuilder) =>
    column.notNull().references('people_groups.id').onDelete('cascade')

  await db.schema
    .createTable('people_groups')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', text, required)
    .addColumn('created_at', 'bigint', required)
    .$call(clustered)
    .execute()
  await db.schema
    .createIndex('people_groups_owner')
    .on('people_groups')
    .columns(['owner_id', 'name'])
    .unique()
    .execute()
  await db.schema
    .createTable('group_people')
    .addColumn('group_id', text, ofGroup)
    .addColumn('email', text, required)
    .addPrimaryKeyConstraint('group_people_key', ['group_id', 'email'])
    .$call(clustered)
    .execute()
  await db.schema
    .createTable('folder_groups')
    .addColumn('folder_id', text, (column) => column.notNull().references('items.id').onDelete('cascade'))
    .addColumn('group_id', text, ofGroup)
    .addColumn('role', text, (column) =>
      column.notNull().check(sql`role in ('viewer', 'contributor', 'editor', 'manager')`),
    )
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('folder_groups_key', ['folder_id', 'group_id'])
    .$call(clustered)
    .execute()
  await db.schema.createIndex('folder_groups_group').on('folder_groups').column('group_id').execute()

  await db.schema
    .alterTable('members')
    .addColumn('group_id', text, (column) => column.references('people_groups.id').onDelete('set null'))
    .execute()
  await db.schema
    .createIndex('members_group')
    .on('members')
    .column('group_id')
    .where(sql.ref('group_id'), 'is not', null)
    .execute()
}
