import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** What signing in with more than a password needs, and what tells sessions apart. Runs on SQLite and on PostgreSQL. */
export async function createAccountSecurity(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  const byKey = engine === 'postgres' ? sql`` : sql`without rowid`
  const ofUser = sql`${text} not null references users (id) on delete cascade`

  await sql`alter table users add column email_changed_at bigint`.execute(db)
  // The address that a token was mailed to: it is good only as long as that is the account's.
  await sql`alter table one_time_tokens add column email ${text} not null default ''`.execute(db)
  await sql`update one_time_tokens set email = (select email from users where users.id = user_id)`.execute(db)
  await sql`alter table sessions add column device ${text} not null default 'Unknown device'`.execute(db)
  await sql`alter table sessions add column ip ${text}`.execute(db)
  await sql`alter table sessions add column last_used_at bigint not null default 0`.execute(db)
  await sql`update sessions set last_used_at = created_at`.execute(db)

  await sql`create table known_devices (
    user_id ${ofUser}, device ${text} not null, network ${text} not null, seen_at bigint not null,
    primary key (user_id, device, network)) ${byKey}`.execute(db)
  await sql`create index known_devices_age on known_devices (seen_at)`.execute(db)

  await sql`create table two_factor (
    user_id ${text} primary key references users (id) on delete cascade,
    secret ${text} not null, begun_at bigint not null, enabled_at bigint, last_step bigint not null default 0)`.execute(
    db,
  )
  await sql`create index two_factor_begun on two_factor (begun_at) where enabled_at is null`.execute(db)
  await sql`create table recovery_codes (
    user_id ${ofUser}, code_hash ${text} not null, primary key (user_id, code_hash)) ${byKey}`.execute(db)

  await sql`create table passkeys (
    id ${text} primary key, user_id ${ofUser}, credential_id ${text} not null unique, public_key ${text} not null,
    counter bigint not null, transports ${text} not null, name ${text} not null, is_synced integer not null,
    created_at bigint not null, last_used_at bigint)`.execute(db)
  await sql`create index passkeys_user on passkeys (user_id, created_at)`.execute(db)

  await sql`create table challenges (
    hash ${text} primary key, kind ${text} not null check (kind in ('code', 'passkey', 'new passkey')),
    user_id ${text} references users (id) on delete cascade, expires_at bigint not null) ${byKey}`.execute(db)
  await sql`create index challenges_user on challenges (user_id) where user_id is not null`.execute(db)
  await sql`create index challenges_expiry on challenges (expires_at)`.execute(db)

  // So that deleting an account finds its items, and no others.
  await sql`create index items_owner on items (owner_id)`.execute(db)
}
