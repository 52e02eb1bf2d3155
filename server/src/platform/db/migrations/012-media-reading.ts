import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** What has yet to be read of music and video, and what films are made of. SQLite and PostgreSQL. */
export async function createMediaReading(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table media_facts add column streams ${text}`.execute(db)
  await sql`alter table items add column media_read_at bigint`.execute(db)
  // Only what has not been read is in it: however large a library is, looking for more costs nothing.
  await sql`create index items_media_unread on items (blob_key) where media is not null and media_read_at is null`.execute(
    db,
  )
}
