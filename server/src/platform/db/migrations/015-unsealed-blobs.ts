import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** What an object store has of blobs that are not whole yet. Runs on SQLite and on PostgreSQL. */
export async function createUnsealedBlobs(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`create table unsealed_blobs (key ${text} primary key, upload_id ${text})`.execute(db)
}
