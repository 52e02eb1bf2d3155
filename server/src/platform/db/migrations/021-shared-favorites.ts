import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Gives members favorites of their own in shared folders, and finds music and videos by folder. `tables.ts` describes the columns. */
export async function sharedFavorites(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, clustered } = columnTypes(engine)
  const ofA = (table: string) => (column: ColumnDefinitionBuilder) =>
    column.notNull().references(`${table}.id`).onDelete('cascade')

  await db.schema
    .createTable('member_favorites')
    .addColumn('user_id', text, ofA('users'))
    .addColumn('item_id', text, ofA('items'))
    .addColumn('member_id', text, ofA('members'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('member_favorites_pkey', ['user_id', 'item_id'])
    .$call(clustered)
    .execute()
  await db.schema.createIndex('member_favorites_item').on('member_favorites').column('item_id').execute()
  await db.schema.createIndex('member_favorites_member').on('member_favorites').column('member_id').execute()

  await db.schema
    .createIndex('items_media_below')
    .on('items')
    .columns(['parent_id', 'media'])
    .where(sql<boolean>`media is not null`)
    .execute()
}
