import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** What is derived from the bytes of blobs: small pictures of them, and their SHA-256. */
export async function createThumbnailsAndDigests(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  const byKey = engine === 'postgres' ? sql`` : sql`without rowid`

  await sql`alter table blobs add column sha256 ${text}`.execute(db)
  // What has yet to be computed. Small blobs come with theirs, so they never enter it.
  await sql`create index blobs_undigested on blobs (key) where sha256 is null`.execute(db)

  await sql`create table thumbnails (
    blob_key ${text} not null references blobs (key) on delete cascade, size integer not null,
    thumbnail_key ${text}, bytes bigint not null, made_at bigint not null,
    primary key (blob_key, size)) ${byKey}`.execute(db)
  await sql`create unique index thumbnails_key on thumbnails (thumbnail_key) where thumbnail_key is not null`.execute(
    db,
  )
}
