import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** Adds when a session was last confirmed, and the name that visitors of a user's links see. Runs on SQLite and on PostgreSQL. */
export async function addRecentSignIn(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table sessions add column confirmed_at bigint`.execute(db)
  await sql`alter table users add column display_name ${text}`.execute(db)
}
