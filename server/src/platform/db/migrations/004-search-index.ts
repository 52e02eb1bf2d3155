import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/**
 * The index that searches are answered from. Names that are new to it wait in `search_pending`, put there by triggers, so
 * that no way of changing an item can forget it. Runs on SQLite and on PostgreSQL.
 */
export async function createSearchIndex(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const isPostgres = engine === 'postgres'
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  const bytes = isPostgres ? sql`bytea` : sql`blob`
  const number = isPostgres
    ? sql`bigint generated always as identity primary key`
    : sql`integer primary key autoincrement`
  const byKey = isPostgres ? sql`` : sql`without rowid`

  // Without foreign keys, which would have to be checked with every file that is stored.
  await sql`create table search_pending (
    owner_id ${text} not null, item_id ${text} not null, name_key ${text} not null, stamp bigint not null,
    primary key (owner_id, item_id)) ${byKey}`.execute(db)
  await sql`create table search_segments (
    id ${number}, owner_id ${text} not null references users (id) on delete cascade,
    state ${text} not null check (state in ('building', 'ready', 'retired')),
    size integer not null default 0, is_stale integer not null default 0, changed_at bigint not null)`.execute(db)
  await sql`create index search_segments_owner on search_segments (owner_id, id)`.execute(db)
  await sql`create unique index search_segments_building on search_segments (owner_id) where state = 'building'`.execute(
    db,
  )
  await sql`create index search_segments_swept on search_segments (changed_at) where state <> 'ready'`.execute(db)
  // Keyed by the segment first: what is built is appended, and goes as a whole.
  await sql`create table search_members (place bigint primary key, item_id ${text} not null) ${byKey}`.execute(db)
  await sql`create table search_postings (
    segment bigint not null, gram ${text} not null, places ${bytes} not null,
    primary key (segment, gram)) ${byKey}`.execute(db)

  await (isPostgres ? createPostgresTriggers(db) : createSqliteTriggers(db))

  await sql`insert into search_pending (owner_id, item_id, name_key, stamp)
    select owner_id, id, name_key, 0 from items
    where area = 'drive' and parent_id is not null and trash_id is null order by owner_id, id`.execute(db)
}

const isSearchable = sql.raw(`new.area = 'drive' and new.parent_id is not null and new.trash_id is null`)
const isNewlySearchable = sql.raw(
  `new.area = 'drive' and new.parent_id is not null and new.trash_id is null
   and (new.name <> old.name or old.trash_id is not null)`,
)
// The version of the user's trees rises with every change, so a name that changes again while it is being indexed stays.
const rememberName = sql.raw(`
  insert into search_pending (owner_id, item_id, name_key, stamp)
  values (new.owner_id, new.id, new.name_key, (select tree_version from users where id = new.owner_id))
  on conflict (owner_id, item_id) do update set name_key = excluded.name_key, stamp = excluded.stamp;`)
// A place is the segment's number and one of its 8192 places.
const forgetSegment = sql.raw(`
  delete from search_postings where segment = old.id;
  delete from search_members where place >= old.id * 8192 and place < (old.id + 1) * 8192;`)
const forgetUser = sql.raw('delete from search_pending where owner_id = old.id;')

async function createSqliteTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger search_item_added after insert on items when ${isSearchable}
    begin ${rememberName} end`.execute(db)
  await sql`create trigger search_item_changed after update of name, trash_id on items when ${isNewlySearchable}
    begin ${rememberName} end`.execute(db)
  await sql`create trigger search_segment_deleted after delete on search_segments begin ${forgetSegment} end`.execute(
    db,
  )
  await sql`create trigger search_user_deleted after delete on users begin ${forgetUser} end`.execute(db)
}

async function createPostgresTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`create function remember_searchable_name() returns trigger language plpgsql
    as $$ begin ${rememberName} return null; end $$`.execute(db)
  await sql`create trigger search_item_added after insert on items for each row when (${isSearchable})
    execute function remember_searchable_name()`.execute(db)
  await sql`create trigger search_item_changed after update of name, trash_id on items for each row
    when (${isNewlySearchable}) execute function remember_searchable_name()`.execute(db)

  await sql`create function forget_search_segment() returns trigger language plpgsql
    as $$ begin ${forgetSegment} return null; end $$`.execute(db)
  await sql`create trigger search_segment_deleted after delete on search_segments for each row
    execute function forget_search_segment()`.execute(db)

  await sql`create function forget_user_names() returns trigger language plpgsql
    as $$ begin ${forgetUser} return null; end $$`.execute(db)
  await sql`create trigger search_user_deleted after delete on users for each row
    execute function forget_user_names()`.execute(db)
}
