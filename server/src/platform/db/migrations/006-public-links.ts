import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** Public links: one an item, gone with it. Runs on SQLite and on PostgreSQL. */
export async function createPublicLinks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`create table public_links (
    item_id ${text} primary key references items (id) on delete cascade, token ${text} not null unique,
    password_hash ${text}, expires_at bigint, download_count bigint not null default 0)`.execute(db)
  // On the item, so that lists show it without a join.
  await sql`alter table items add column shared_at bigint`.execute(db)
  // In the order of the list. Few items are shared, so the others pay nothing for it.
  await sql`create index items_shared on items (owner_id, shared_at desc, id desc) where shared_at is not null`.execute(
    db,
  )
}
