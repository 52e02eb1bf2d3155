import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Lets members place shared folders in their own drive. `tables.ts` describes the column. */
export async function mounts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine)
  await db.schema
    .alterTable('items')
    .addColumn('mount_of', text, (column) => column.references('members.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createIndex('items_mount')
    .on('items')
    .column('mount_of')
    .unique()
    .where(sql.ref('mount_of'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('items_mounts_in')
    .on('items')
    .column('parent_id')
    .where(sql.ref('mount_of'), 'is not', null)
    .execute()
}
