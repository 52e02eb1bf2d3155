import { type Kysely, sql } from 'kysely'

/** Signed addresses end where all sessions do. Runs on SQLite and on PostgreSQL. */
export async function addGrantsRevokedAt(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column grants_revoked_at bigint`.execute(db)
}
