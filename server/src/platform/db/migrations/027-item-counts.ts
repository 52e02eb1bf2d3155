import { type Kysely, sql } from 'kysely'

/** How many files and folders each user has, without the two roots. Runs on SQLite and on PostgreSQL. */
export async function countItems(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column item_count bigint not null default 0 check (item_count >= 0)`.execute(db)
  await sql`update users set item_count =
    (select count(*) from items where items.owner_id = users.id and items.parent_id is not null)`.execute(db)
}
