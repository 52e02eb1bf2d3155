import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/**
 * Gives the trash an index of its own, in the order of its lists: all items that are trashed together have the same time. `items_owner`
 * has no trash any more, so it isn't written on SQLite when an item goes to the trash.
 */
export async function trashInOrder(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.dropIndex('items_owner').execute()
  await db.schema.createIndex('items_owner').on('items').column('owner_id').execute()
  await db.schema
    .createIndex('items_trash')
    .on('items')
    .columns(['owner_id', 'trashed_at', 'id', 'kind'])
    .where(sql<boolean>`trashed_at is not null`)
    .execute()
  if (engine === 'sqlite') await hintSqlitePlanner(db)
}

/** Tells SQLite's planner again to choose `items_owner` last. `001-initial.ts` has the reasons. */
async function hintSqlitePlanner(db: Kysely<unknown>): Promise<void> {
  await sql`delete from sqlite_stat1 where tbl = 'items'`.execute(db)
  await sql`insert into sqlite_stat1 (tbl, idx, stat) values ('items', 'items_owner', '1000000 100000')`.execute(db)
  // Makes this connection load the statistics.
  await sql`analyze sqlite_schema`.execute(db)
}
