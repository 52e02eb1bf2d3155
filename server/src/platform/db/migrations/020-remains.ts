import { type Kysely, sql } from 'kysely'

/** An account with very much in it ends before its items are gone. Runs on SQLite and on PostgreSQL. */
export async function createRemains(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column deleted_at bigint`.execute(db)
  // Whoever has just sent a million files has as many uploads, and next to none of them unfinished.
  await sql`create index uploads_unfinished on uploads (owner_id) where completed_at is null`.execute(db)
}
