import { type Kysely, sql } from 'kysely'

/** Lets the owner of a shared folder offer it to a member. `tables.ts` describes the column. */
export async function handOver(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('members').addColumn('offered_at', 'bigint').execute()
  // A folder is offered to one member at a time.
  await db.schema
    .createIndex('members_offered')
    .on('members')
    .column('folder_id')
    .unique()
    .where(sql.ref('offered_at'), 'is not', null)
    .execute()
}
