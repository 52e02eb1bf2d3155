import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** Which blobs are known to be damaged, and how far the nightly reading of them is. Runs on SQLite and on PostgreSQL. */
export async function createScrub(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table blobs add column damaged_at bigint`.execute(db)
  await sql`create index blobs_damaged on blobs (key) where damaged_at is not null`.execute(db)
  await sql`create table scrub (
    id integer primary key check (id = 1), position ${text} not null, bytes_left bigint not null,
    round_began_at bigint, round_ended_at bigint, holder text, held_until bigint not null)`.execute(db)
  await sql`insert into scrub (id, position, bytes_left, held_until) values (1, '', 0, 0)`.execute(db)
}
