import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** Users, their trees, and uploads on the way in. Runs on SQLite and on PostgreSQL. */
export async function createFirstTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  // Names and keys are compared byte by byte on both databases, so that both sort and tell apart alike.
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  // SQLite keeps such a table in the order of its key, without a second tree beside it.
  const byKey = engine === 'postgres' ? sql`` : sql`without rowid`

  await sql`create table users (
    id ${text} primary key, email ${text} not null unique, password_hash ${text} not null, activated_at bigint,
    plan_id integer not null, plan_name ${text} not null,
    allocated_bytes bigint not null, used_bytes bigint not null default 0 check (used_bytes >= 0),
    reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
    drive_root_id ${text} not null, vault_root_id ${text} not null,
    tree_version bigint not null default 0, created_at bigint not null)`.execute(db)

  await sql`create table sessions (
    id ${text} primary key, user_id ${text} not null references users (id) on delete cascade,
    created_at bigint not null, expires_at bigint not null)`.execute(db)
  await sql`create index sessions_user on sessions (user_id)`.execute(db)
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db)

  await sql`create table one_time_tokens (
    token_hash ${text} primary key, user_id ${text} not null references users (id) on delete cascade,
    kind ${text} not null check (kind in ('activation', 'reset')), expires_at bigint not null)`.execute(db)
  await sql`create index one_time_tokens_user on one_time_tokens (user_id, kind)`.execute(db)

  await sql`create table blobs (key ${text} primary key, size bigint not null, created_at bigint not null) ${byKey}`.execute(
    db,
  )
  await sql`create table blob_removals (blob_key ${text} primary key, queued_at bigint not null)`.execute(db)

  await sql`create table items (
    id ${text} primary key, owner_id ${text} not null references users (id) on delete cascade,
    parent_id ${text} references items (id),
    area ${text} not null check (area in ('drive', 'vault')), kind ${text} not null check (kind in ('file', 'folder')),
    name ${text} not null, name_key ${text} not null, sort_key ${text} not null,
    size bigint not null default 0, blob_key ${text} references blobs (key),
    favorite_at bigint, trashed_at bigint, trash_id ${text},
    created_at bigint not null, updated_at bigint not null,
    check ((kind = 'file') = (blob_key is not null)))`.execute(db)
  // One name among siblings. What was trashed itself has left the name free.
  await sql`create unique index items_sibling_name on items (parent_id, name_key) where trashed_at is null`.execute(db)
  // With trashed ones too: it serves lists, walks of whole subtrees, and the foreign key.
  await sql`create index items_listing on items (parent_id, kind, sort_key, id)`.execute(db)
  await sql`create unique index items_root on items (owner_id, area) where parent_id is null`.execute(db)
  await sql`create index items_blob on items (blob_key) where blob_key is not null`.execute(db)
  await sql`create index items_trash on items (trash_id) where trash_id is not null`.execute(db)
  await sql`create index items_trashed on items (owner_id, trashed_at) where trashed_at is not null`.execute(db)

  await sql`create table uploads (
    id ${text} primary key, owner_id ${text} not null references users (id) on delete cascade,
    filename ${text} not null, total_chunks integer not null, total_size bigint, chunk_size bigint,
    received_bytes bigint not null default 0, reserved_bytes bigint not null default 0, area ${text} not null, folder_id ${text}, folders ${text} not null,
    on_conflict ${text} not null, blob_key ${text} not null, item_id ${text}, completed_at bigint,
    expires_at bigint not null) ${byKey}`.execute(db)
  await sql`create index uploads_owner on uploads (owner_id)`.execute(db)
  await sql`create index uploads_expiry on uploads (expires_at)`.execute(db)
  await sql`create index uploads_blob on uploads (blob_key) where completed_at is null`.execute(db)

  await sql`create table upload_chunks (
    upload_id ${text} not null references uploads (id) on delete cascade,
    chunk_index integer not null, size bigint not null, is_parked integer not null default 0,
    primary key (upload_id, chunk_index)) ${byKey}`.execute(db)

  await sql`create table jobs (
    id ${text} primary key, kind ${text} not null, payload ${text} not null,
    run_at bigint not null, attempts integer not null default 0)`.execute(db)
  await sql`create index jobs_due on jobs (run_at)`.execute(db)
}
