create table if not exists "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
create table if not exists "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
insert into "kysely_migration_lock" ("id", "is_locked") values ('migration_lock', 0);
create table users (
    id text collate "C" primary key, email text collate "C" not null unique, password_hash text collate "C" not null, activated_at bigint,
    plan_id integer not null, plan_name text collate "C" not null,
    allocated_bytes bigint not null, used_bytes bigint not null default 0 check (used_bytes >= 0),
    reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
    drive_root_id text collate "C" not null, vault_root_id text collate "C" not null,
    tree_version bigint not null default 0, created_at bigint not null);
create table sessions (
    id text collate "C" primary key, user_id text collate "C" not null references users (id) on delete cascade,
    created_at bigint not null, expires_at bigint not null);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
create table one_time_tokens (
    token_hash text collate "C" primary key, user_id text collate "C" not null references users (id) on delete cascade,
    kind text collate "C" not null check (kind in ('activation', 'reset')), expires_at bigint not null);
create index one_time_tokens_user on one_time_tokens (user_id, kind);
create table blobs (key text collate "C" primary key, size bigint not null, created_at bigint not null);
create table blob_removals (blob_key text collate "C" primary key, queued_at bigint not null);
create table items (
    id text collate "C" primary key, owner_id text collate "C" not null references users (id) on delete cascade,
    parent_id text collate "C" references items (id),
    area text collate "C" not null check (area in ('drive', 'vault')), kind text collate "C" not null check (kind in ('file', 'folder')),
    name text collate "C" not null, name_key text collate "C" not null, sort_key text collate "C" not null,
    size bigint not null default 0, blob_key text collate "C" references blobs (key),
    favorite_at bigint, trashed_at bigint, trash_id text collate "C",
    created_at bigint not null, updated_at bigint not null,
    check ((kind = 'file') = (blob_key is not null)));
create unique index items_sibling_name on items (parent_id, name_key) where trashed_at is null;
create index items_listing on items (parent_id, kind, sort_key, id);
create unique index items_root on items (owner_id, area) where parent_id is null;
create index items_blob on items (blob_key) where blob_key is not null;
create index items_trash on items (trash_id) where trash_id is not null;
create index items_trashed on items (owner_id, trashed_at) where trashed_at is not null;
create table uploads (
    id text collate "C" primary key, owner_id text collate "C" not null references users (id) on delete cascade,
    filename text collate "C" not null, total_chunks integer not null, total_size bigint, chunk_size bigint,
    received_bytes bigint not null default 0, reserved_bytes bigint not null default 0, area text collate "C" not null, folder_id text collate "C", folders text collate "C" not null,
    on_conflict text collate "C" not null, blob_key text collate "C" not null, item_id text collate "C", completed_at bigint,
    expires_at bigint not null);
create index uploads_owner on uploads (owner_id);
create index uploads_expiry on uploads (expires_at);
create index uploads_blob on uploads (blob_key) where completed_at is null;
create table upload_chunks (
    upload_id text collate "C" not null references uploads (id) on delete cascade,
    chunk_index integer not null, size bigint not null, is_parked integer not null default 0,
    primary key (upload_id, chunk_index));
create table jobs (
    id text collate "C" primary key, kind text collate "C" not null, payload text collate "C" not null,
    run_at bigint not null, attempts integer not null default 0);
create index jobs_due on jobs (run_at);
insert into "kysely_migration" ("name", "timestamp") values ('001-first-tables', '2026-01-15T12:00:00.000Z');
create index items_favorites on items (owner_id, kind desc, sort_key, id)
    where favorite_at is not null and trash_id is null;
create index items_trash_age on items (trashed_at, owner_id) where trashed_at is not null;
insert into "kysely_migration" ("name", "timestamp") values ('002-trash-and-favorites', '2026-01-15T12:00:00.000Z');
alter table items add column extension text collate "C" not null default '';
create table download_selections (
    id text collate "C" primary key, owner_id text collate "C" not null references users (id) on delete cascade,
    name text collate "C" not null, item_ids text collate "C" not null, expires_at bigint not null);
create index download_selections_owner on download_selections (owner_id, expires_at);
insert into "kysely_migration" ("name", "timestamp") values ('003-many-items', '2026-01-15T12:00:00.000Z');
create table search_pending (
    owner_id text collate "C" not null, item_id text collate "C" not null, name_key text collate "C" not null, stamp bigint not null,
    primary key (owner_id, item_id));
create table search_segments (
    id bigint generated always as identity primary key, owner_id text collate "C" not null references users (id) on delete cascade,
    state text collate "C" not null check (state in ('building', 'ready', 'retired')),
    size integer not null default 0, is_stale integer not null default 0, changed_at bigint not null);
create index search_segments_owner on search_segments (owner_id, id);
create unique index search_segments_building on search_segments (owner_id) where state = 'building';
create index search_segments_swept on search_segments (changed_at) where state <> 'ready';
create table search_members (place bigint primary key, item_id text collate "C" not null);
create table search_postings (
    segment bigint not null, gram text collate "C" not null, places bytea not null,
    primary key (segment, gram));
create function remember_searchable_name() returns trigger language plpgsql
    as $$ begin 
  insert into search_pending (owner_id, item_id, name_key, stamp)
  values (new.owner_id, new.id, new.name_key, (select tree_version from users where id = new.owner_id))
  on conflict (owner_id, item_id) do update set name_key = excluded.name_key, stamp = excluded.stamp; return null; end $$;
create trigger search_item_added after insert on items for each row when (new.area = 'drive' and new.parent_id is not null and new.trash_id is null)
    execute function remember_searchable_name();
create trigger search_item_changed after update of name, trash_id on items for each row
    when (new.area = 'drive' and new.parent_id is not null and new.trash_id is null
   and (new.name <> old.name or old.trash_id is not null)) execute function remember_searchable_name();
create function forget_search_segment() returns trigger language plpgsql
    as $$ begin 
  delete from search_postings where segment = old.id;
  delete from search_members where place >= old.id * 8192 and place < (old.id + 1) * 8192; return null; end $$;
create trigger search_segment_deleted after delete on search_segments for each row
    execute function forget_search_segment();
create function forget_user_names() returns trigger language plpgsql
    as $$ begin delete from search_pending where owner_id = old.id; return null; end $$;
create trigger search_user_deleted after delete on users for each row
    execute function forget_user_names();
insert into "kysely_migration" ("name", "timestamp") values ('004-search-index', '2026-01-15T12:00:00.000Z');
alter table blobs add column sha256 text collate "C";
create index blobs_undigested on blobs (key) where sha256 is null;
create table thumbnails (
    blob_key text collate "C" not null references blobs (key) on delete cascade, size integer not null,
    thumbnail_key text collate "C", bytes bigint not null, made_at bigint not null,
    primary key (blob_key, size));
create unique index thumbnails_key on thumbnails (thumbnail_key) where thumbnail_key is not null;
insert into "kysely_migration" ("name", "timestamp") values ('005-thumbnails-and-digests', '2026-01-15T12:00:00.000Z');
create table public_links (
    item_id text collate "C" primary key references items (id) on delete cascade, token text collate "C" not null unique,
    password_hash text collate "C", expires_at bigint, download_count bigint not null default 0);
alter table items add column shared_at bigint;
create index items_shared on items (owner_id, shared_at desc, id desc) where shared_at is not null;
insert into "kysely_migration" ("name", "timestamp") values ('006-public-links', '2026-01-15T12:00:00.000Z');
alter table users add column email_changed_at bigint;
alter table one_time_tokens add column email text collate "C" not null default '';
alter table sessions add column device text collate "C" not null default 'Unknown device';
alter table sessions add column ip text collate "C";
alter table sessions add column last_used_at bigint not null default 0;
create table known_devices (
    user_id text collate "C" not null references users (id) on delete cascade, device text collate "C" not null, network text collate "C" not null, seen_at bigint not null,
    primary key (user_id, device, network));
create index known_devices_age on known_devices (seen_at);
create table two_factor (
    user_id text collate "C" primary key references users (id) on delete cascade,
    secret text collate "C" not null, begun_at bigint not null, enabled_at bigint, last_step bigint not null default 0);
create index two_factor_begun on two_factor (begun_at) where enabled_at is null;
create table recovery_codes (
    user_id text collate "C" not null references users (id) on delete cascade, code_hash text collate "C" not null, primary key (user_id, code_hash));
create table passkeys (
    id text collate "C" primary key, user_id text collate "C" not null references users (id) on delete cascade, credential_id text collate "C" not null unique, public_key text collate "C" not null,
    counter bigint not null, transports text collate "C" not null, name text collate "C" not null, is_synced integer not null,
    created_at bigint not null, last_used_at bigint);
create index passkeys_user on passkeys (user_id, created_at);
create table challenges (
    hash text collate "C" primary key, kind text collate "C" not null check (kind in ('code', 'passkey', 'new passkey')),
    user_id text collate "C" references users (id) on delete cascade, expires_at bigint not null);
create index challenges_user on challenges (user_id) where user_id is not null;
create index challenges_expiry on challenges (expires_at);
create index items_owner on items (owner_id);
insert into "kysely_migration" ("name", "timestamp") values ('008-account-security', '2026-01-15T12:00:00.000Z');
create table billing_customers (
    user_id text collate "C" primary key references users (id) on delete cascade,
    realm text collate "C" not null, customer_id text collate "C" unique, customer_number integer not null default 0,
    checkout_id text collate "C", checkout_number integer not null default 0,
    subscription_id text collate "C", status text collate "C" not null default 'free', plan_id integer not null default 0,
    price_in_cents bigint not null default 0, currency text collate "C" not null default 'usd',
    period_end bigint, ends_at bigint, past_due_since bigint, lifetime_plan_id integer, granted_plan_id integer,
    sync_version bigint not null default 0, synced_version bigint not null default 0);
create index billing_customers_past_due on billing_customers (past_due_since)
    where past_due_since is not null;
create table stripe_events (id text collate "C" primary key, received_at bigint not null);
create index stripe_events_age on stripe_events (received_at);
create table billing_mails (
    user_id text collate "C" not null references users (id) on delete cascade, about text collate "C" not null,
    primary key (user_id, about));
insert into "kysely_migration" ("name", "timestamp") values ('009-billing', '2026-01-15T12:00:00.000Z');
alter table items add column vault_check text collate "C";
alter table uploads add column vault_check text collate "C";
create index items_vault_name on items (owner_id, name_key) where area = 'vault' and trash_id is null;
insert into "kysely_migration" ("name", "timestamp") values ('010-vault', '2026-01-15T12:00:00.000Z');
alter table items add column media text collate "C" generated always as (
    case when kind = 'file' and area = 'drive' then
      case when extension in ('mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac') then 'audio' when extension in ('mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv') then 'video' end
    end) stored;
create index items_media on items (owner_id, media, sort_key, id) where media is not null;
create table media_facts (
    blob_key text collate "C" primary key references blobs (key) on delete cascade,
    title text collate "C", artist text collate "C", album text collate "C", track integer, duration double precision,
    has_cover integer not null default 0, read_at bigint not null);
create table playlists (
    id text collate "C" primary key, owner_id text collate "C" not null references users (id) on delete cascade,
    name text collate "C" not null, created_at bigint not null, updated_at bigint not null);
create index playlists_owner on playlists (owner_id);
create table playlist_tracks (
    playlist_id text collate "C" not null references playlists (id) on delete cascade,
    place integer not null, item_id text collate "C" not null references items (id) on delete cascade,
    primary key (playlist_id, place));
create index playlist_tracks_item on playlist_tracks (item_id);
insert into "kysely_migration" ("name", "timestamp") values ('011-media', '2026-01-15T12:00:00.000Z');
alter table media_facts add column streams text collate "C";
alter table items add column media_read_at bigint;
create index items_media_unread on items (blob_key) where media is not null and media_read_at is null;
insert into "kysely_migration" ("name", "timestamp") values ('012-media-reading', '2026-01-15T12:00:00.000Z');
create table unsealed_blobs (key text collate "C" primary key, upload_id text collate "C");
insert into "kysely_migration" ("name", "timestamp") values ('015-unsealed-blobs', '2026-01-15T12:00:00.000Z');
insert into "kysely_migration" ("name", "timestamp") values ('016-planner-hints', '2026-01-15T12:00:00.000Z');
drop index items_media;
drop index items_media_unread;
alter table items drop column media;
alter table items add column media text collate "C" generated always as (
    case when kind = 'file' and area = 'drive' then
      case when extension in ('mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac', 'aif', 'aiff', 'wma', 'ape') then 'audio' when extension in ('mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv') then 'video' end
    end) stored;
create index items_media on items (owner_id, media, sort_key, id) where media is not null;
create index items_media_unread on items (blob_key) where media is not null and media_read_at is null;
insert into "kysely_migration" ("name", "timestamp") values ('017-more-media', '2026-01-15T12:00:00.000Z');
alter table blobs add column damaged_at bigint;
create index blobs_damaged on blobs (key) where damaged_at is not null;
create table scrub (
    id integer primary key check (id = 1), position text collate "C" not null, bytes_left bigint not null,
    round_began_at bigint, round_ended_at bigint, holder text, held_until bigint not null);
insert into scrub (id, position, bytes_left, held_until) values (1, '', 0, 0);
insert into "kysely_migration" ("name", "timestamp") values ('018-scrub', '2026-01-15T12:00:00.000Z');
drop index "items_trash";
drop index "items_trashed";
drop index "items_trash_age";
drop index "items_owner";
create index items_owner on items (owner_id, trashed_at);
create index items_hidden on items (trash_id) where trash_id is not null and trashed_at is null;
alter table items alter column media drop expression;
create function set_media() returns trigger language plpgsql as $$ begin
    new.media := case when new.kind = 'file' and new.area = 'drive' then
      case when new.extension in ('mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac', 'aif', 'aiff', 'wma', 'ape') then 'audio' when new.extension in ('mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv') then 'video' end
    end;
    return new;
  end $$;
create trigger items_media_set before insert or update of media, extension, kind, area on items for each row
    when (new.media is not null or new.extension in ('mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac', 'aif', 'aiff', 'wma', 'ape', 'mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv'))
    execute function set_media();
drop index items_listing;
create index items_listing on items (parent_id, kind, sort_key, id, trashed_at);
alter table search_members add column folded text collate "C";
insert into "kysely_migration" ("name", "timestamp") values ('019-many-items', '2026-01-15T12:00:00.000Z');
alter table users add column deleted_at bigint;
create index uploads_unfinished on uploads (owner_id) where completed_at is null;
insert into "kysely_migration" ("name", "timestamp") values ('020-remains', '2026-01-15T12:00:00.000Z');
alter table items alter column parent_id set (n_distinct = -0.1);
insert into "kysely_migration" ("name", "timestamp") values ('021-folder-hints', '2026-01-15T12:00:00.000Z');
alter table users add column grants_revoked_at bigint;
insert into "kysely_migration" ("name", "timestamp") values ('022-revoked-grants', '2026-01-15T12:00:00.000Z');
alter table users add column confirmed_email text;
alter table users add column claimed_from text;
alter table users add column proof_hash text;
create index users_never_activated on users (created_at)
    where confirmed_email is null and email_changed_at is null;
insert into "kysely_migration" ("name", "timestamp") values ('023-proven-accounts', '2026-01-15T12:00:00.000Z');
alter table sessions add column confirmed_at bigint;
alter table users add column display_name text collate "C";
insert into "kysely_migration" ("name", "timestamp") values ('024-recent-sign-in', '2026-01-15T12:00:00.000Z');
create table arriving_chunks (
    upload_id text collate "C" not null references uploads (id) on delete cascade,
    chunk_index integer not null, size bigint not null,
    primary key (upload_id, chunk_index));
insert into "kysely_migration" ("name", "timestamp") values ('025-arriving-chunks', '2026-01-15T12:00:00.000Z');
create index items_vault_checked on items (owner_id, created_at, id)
    where area = 'vault' and kind = 'file' and trash_id is null and vault_check is not null;
insert into "kysely_migration" ("name", "timestamp") values ('026-vault-samples', '2026-01-15T12:00:00.000Z');
alter table users add column item_count bigint not null default 0 check (item_count >= 0);
insert into "kysely_migration" ("name", "timestamp") values ('027-item-counts', '2026-01-15T12:00:00.000Z');
