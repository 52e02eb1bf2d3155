import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** What chunks on their way may take of the disk is part of the quota before they arrive. Runs on SQLite and on PostgreSQL. */
export async function createArrivingChunks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  const byKey = engine === 'postgres' ? sql`` : sql`without rowid`
  await sql`create table arriving_chunks (
    upload_id ${text} not null references uploads (id) on delete cascade,
    chunk_index integer not null, size bigint not null,
    primary key (upload_id, chunk_index)) ${byKey}`.execute(db)
}
