import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** Who is a customer of the card provider, and what has been heard from there. Runs on SQLite and on PostgreSQL. */
export async function createBilling(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  const byKey = engine === 'postgres' ? sql`` : sql`without rowid`

  await sql`create table billing_customers (
    user_id ${text} primary key references users (id) on delete cascade,
    realm ${text} not null, customer_id ${text} unique, customer_number integer not null default 0,
    checkout_id ${text}, checkout_number integer not null default 0,
    subscription_id ${text}, status ${text} not null default 'free', plan_id integer not null default 0,
    price_in_cents bigint not null default 0, currency ${text} not null default 'usd',
    period_end bigint, ends_at bigint, past_due_since bigint, lifetime_plan_id integer, granted_plan_id integer,
    sync_version bigint not null default 0, synced_version bigint not null default 0) ${byKey}`.execute(db)
  await sql`create index billing_customers_past_due on billing_customers (past_due_since)
    where past_due_since is not null`.execute(db)

  await sql`create table stripe_events (id ${text} primary key, received_at bigint not null) ${byKey}`.execute(db)
  await sql`create index stripe_events_age on stripe_events (received_at)`.execute(db)

  await sql`create table billing_mails (
    user_id ${text} not null references users (id) on delete cascade, about ${text} not null,
    primary key (user_id, about)) ${byKey}`.execute(db)
}
