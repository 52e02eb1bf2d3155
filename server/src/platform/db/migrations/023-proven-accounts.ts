import { type Kysely, sql } from 'kysely'

/**
 * Who holds an address proves it: the last address that was confirmed, and what tells the person who registered (or
 * asked for another address) from a stranger who opens the mail. Runs on SQLite and on PostgreSQL.
 */
export async function addProofOfAddress(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column confirmed_email text`.execute(db)
  await sql`alter table users add column claimed_from text`.execute(db)
  await sql`alter table users add column proof_hash text`.execute(db)
  await sql`update users set confirmed_email = email where activated_at is not null`.execute(db)
  await sql`create index users_never_activated on users (created_at)
    where confirmed_email is null and email_changed_at is null`.execute(db)
}
