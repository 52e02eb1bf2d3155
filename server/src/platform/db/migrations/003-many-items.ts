import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** What lists sorted by type and downloads of many items need. Runs on SQLite and on PostgreSQL. */
export async function createDownloadSelections(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table items add column extension ${text} not null default ''`.execute(db)
  // `rtrim` takes off all that is not a dot: up to the last one is left. A name that begins with its only dot has none.
  await sql`update items
    set extension = substr(name_key, length(rtrim(name_key, replace(name_key, '.', ''))) + 1)
    where length(rtrim(name_key, replace(name_key, '.', ''))) > 1`.execute(db)

  await sql`create table download_selections (
    id ${text} primary key, owner_id ${text} not null references users (id) on delete cascade,
    name ${text} not null, item_ids ${text} not null, expires_at bigint not null)`.execute(db)
  await sql`create index download_selections_owner on download_selections (owner_id, expires_at)`.execute(db)
}
