import { type ColumnDefinitionBuilder, type Kysely, type SchemaModule, sql } from 'kysely'
import type { Engine } from '../tables.ts'
import { type ColumnTypes, columnTypes } from './column-types.ts'

/** Creates the tables of version 0.1.0, which had made them in 24 steps. `tables.ts` describes their columns. */
export async function initial(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const types = columnTypes(engine)
  await createUsers(db.schema, types)
  await createSignIn(db.schema, types)
  await createBlobs(db.schema, types)
  await createItems(db.schema, types, engine)
  await indexItems(db.schema, engine)
  await createUploads(db.schema, types)
  await createDownloadsAndLinks(db.schema, types)
  await createMedia(db.schema, types)
  await createSearch(db.schema, types)
  await createBilling(db.schema, types)
  await createBackgroundWork(db.schema, types)
  await sql`insert into scrub (id, position, bytes_left, held_until) values (1, '', 0, 0)`.execute(db)
  if (engine === 'postgres') {
    await setMediaByTrigger(db)
    await createSearchTriggersOnPostgres(db)
    await hintPostgresPlanner(db)
  } else {
    await createSearchTriggersOnSqlite(db)
    await hintSqlitePlanner(db)
  }
}

const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey()
const required = (column: ColumnDefinitionBuilder) => column.notNull()
const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique()
const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
const ofUser = (column: ColumnDefinitionBuilder) => column.notNull().references('users.id').onDelete('cascade')
const isUser = (column: ColumnDefinitionBuilder) => column.primaryKey().references('users.id').onDelete('cascade')

async function createUsers(schema: SchemaModule, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('users')
    .addColumn('id', text, primaryKey)
    .addColumn('email', text, unique)
    .addColumn('password_hash', text, required)
    .addColumn('activated_at', 'bigint')
    .addColumn('plan_id', 'integer', required)
    .addColumn('plan_name', text, required)
    .addColumn('allocated_bytes', 'bigint', required)
    .addColumn('used_bytes', 'bigint', (column) => zero(column).check(sql`used_bytes >= 0`))
    .addColumn('reserved_bytes', 'bigint', (column) => zero(column).check(sql`reserved_bytes >= 0`))
    .addColumn('drive_root_id', text, required)
    .addColumn('vault_root_id', text, required)
    .addColumn('tree_version', 'bigint', zero)
    .addColumn('created_at', 'bigint', required)
    .addColumn('email_changed_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addColumn('grants_revoked_at', 'bigint')
    // Without the collation of the other texts, because version 0.1.0 created them so. They are only compared for equality.
    .addColumn('confirmed_email', 'text')
    .addColumn('claimed_from', 'text')
    .addColumn('proof_hash', 'text')
    .addColumn('display_name', text)
    .addColumn('item_count', 'bigint', (column) => zero(column).check(sql`item_count >= 0`))
    .execute()
  await schema
    .createIndex('users_never_activated')
    .on('users')
    .column('created_at')
    .where(sql<boolean>`confirmed_email is null and email_changed_at is null`)
    .execute()
}

async function createSignIn(schema: SchemaModule, { text, clustered }: ColumnTypes): Promise<void> {
  await schema
    .createTable('sessions')
    .addColumn('id', text, primaryKey)
    .addColumn('user_id', text, ofUser)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('device', text, (column) => column.notNull().defaultTo('Unknown device'))
    .addColumn('ip', text)
    .addColumn('last_used_at', 'bigint', zero)
    .addColumn('confirmed_at', 'bigint')
    .execute()
  await schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
  await schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()

  await schema
    .createTable('one_time_tokens')
    .addColumn('token_hash', text, primaryKey)
    .addColumn('user_id', text, ofUser)
    .addColumn('kind', text, (column) => column.notNull().check(sql`kind in ('activation', 'reset')`))
    .addColumn('expires_at', 'bigint', required)
    .addColumn('email', text, (column) => column.notNull().defaultTo(''))
    .execute()
  await schema.createIndex('one_time_tokens_user').on('one_time_tokens').columns(['user_id', 'kind']).execute()

  await schema
    .createTable('known_devices')
    .addColumn('user_id', text, ofUser)
    .addColumn('device', text, required)
    .addColumn('network', text, required)
    .addColumn('seen_at', 'bigint', required)
    .addPrimaryKeyConstraint('known_devices_pkey', ['user_id', 'device', 'network'])
    .$call(clustered)
    .execute()
  await schema.createIndex('known_devices_age').on('known_devices').column('seen_at').execute()

  await schema
    .createTable('two_factor')
    .addColumn('user_id', text, isUser)
    .addColumn('secret', text, required)
    .addColumn('begun_at', 'bigint', required)
    .addColumn('enabled_at', 'bigint')
    .addColumn('last_step', 'bigint', zero)
    .execute()
  await schema
    .createIndex('two_factor_begun')
    .on('two_factor')
    .column('begun_at')
    .where(sql<boolean>`enabled_at is null`)
    .execute()
  await schema
    .createTable('recovery_codes')
    .addColumn('user_id', text, ofUser)
    .addColumn('code_hash', text, required)
    .addPrimaryKeyConstraint('recovery_codes_pkey', ['user_id', 'code_hash'])
    .$call(clustered)
    .execute()

  await schema
    .createTable('passkeys')
    .addColumn('id', text, primaryKey)
    .addColumn('user_id', text, ofUser)
    .addColumn('credential_id', text, unique)
    .addColumn('public_key', text, required)
    .addColumn('counter', 'bigint', required)
    .addColumn('transports', text, required)
    .addColumn('name', text, required)
    .addColumn('is_synced', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .execute()
  await schema.createIndex('passkeys_user').on('passkeys').columns(['user_id', 'created_at']).execute()

  await schema
    .createTable('challenges')
    .addColumn('hash', text, primaryKey)
    .addColumn('kind', text, (column) => column.notNull().check(sql`kind in ('code', 'passkey', 'new passkey')`))
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', required)
    .$call(clustered)
    .execute()
  await schema
    .createIndex('challenges_user')
    .on('challenges')
    .column('user_id')
    .where(sql<boolean>`user_id is not null`)
    .execute()
  await schema.createIndex('challenges_expiry').on('challenges').column('expires_at').execute()
}

async function createBlobs(schema: SchemaModule, { text, clustered }: ColumnTypes): Promise<void> {
  await schema
    .createTable('blobs')
    .addColumn('key', text, primaryKey)
    .addColumn('size', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('sha256', text)
    .addColumn('damaged_at', 'bigint')
    .$call(clustered)
    .execute()
  // Small blobs are stored with their digest, so they never enter this index.
  await schema.createIndex('blobs_undigested').on('blobs').column('key').where(sql<boolean>`sha256 is null`).execute()
  await schema
    .createIndex('blobs_damaged')
    .on('blobs')
    .column('key')
    .where(sql<boolean>`damaged_at is not null`)
    .execute()

  await schema
    .createTable('blob_removals')
    .addColumn('blob_key', text, primaryKey)
    .addColumn('queued_at', 'bigint', required)
    .execute()
  await schema.createTable('unsealed_blobs').addColumn('key', text, primaryKey).addColumn('upload_id', text).execute()

  await schema
    .createTable('thumbnails')
    .addColumn('blob_key', text, (column) => column.notNull().references('blobs.key').onDelete('cascade'))
    .addColumn('size', 'integer', required)
    .addColumn('thumbnail_key', text)
    .addColumn('bytes', 'bigint', required)
    .addColumn('made_at', 'bigint', required)
    .addPrimaryKeyConstraint('thumbnails_pkey', ['blob_key', 'size'])
    .$call(clustered)
    .execute()
  await schema
    .createIndex('thumbnails_key')
    .unique()
    .on('thumbnails')
    .column('thumbnail_key')
    .where(sql<boolean>`thumbnail_key is not null`)
    .execute()
}

/** The contract's lists as of version 0.1.0. A new kind of file needs a migration that replaces what is computed from them. */
const AUDIO = ['mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac', 'aif', 'aiff', 'wma', 'ape']
const VIDEO = ['mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv']
const listOf = (extensions: readonly string[]) => extensions.map((extension) => `'${extension}'`).join(', ')

/** Returns the expression for `items.media`. In a trigger, the columns are prefixed with `new.`. */
function mediaOf(row: '' | 'new.') {
  return sql.raw(`case when ${row}kind = 'file' and ${row}area = 'drive' then
    case when ${row}extension in (${listOf(AUDIO)}) then 'audio' when ${row}extension in (${listOf(VIDEO)}) then 'video' end
  end`)
}

async function createItems(schema: SchemaModule, { text }: ColumnTypes, engine: Engine): Promise<void> {
  await schema
    .createTable('items')
    .addColumn('id', text, primaryKey)
    .addColumn('owner_id', text, ofUser)
    .addColumn('parent_id', text, (column) => column.references('items.id'))
    .addColumn('area', text, (column) => column.notNull().check(sql`area in ('drive', 'vault')`))
    .addColumn('kind', text, (column) => column.notNull().check(sql`kind in ('file', 'folder')`))
    .addColumn('name', text, required)
    .addColumn('name_key', text, required)
    .addColumn('sort_key', text, required)
    .addColumn('size', 'bigint', zero)
    .addColumn('blob_key', text, (column) => column.references('blobs.key'))
    .addColumn('favorite_at', 'bigint')
    .addColumn('trashed_at', 'bigint')
    .addColumn('trash_id', text)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('extension', text, (column) => column.notNull().defaultTo(''))
    .addColumn('shared_at', 'bigint')
    .addColumn('vault_check', text)
    .addColumn('media_read_at', 'bigint')
    // The database computes it, so that no change of an item can forget it. PostgreSQL does so by trigger, see below.
    .addColumn('media', text, (column) => (engine === 'postgres' ? column : column.generatedAlwaysAs(mediaOf(''))))
    .addCheckConstraint('items_check', sql`(kind = 'file') = (blob_key is not null)`)
    .execute()
}

/**
 * Every index in which an item appears has to be written when that item changes, so most of them are partial: only
 * the items that a list shows pay for its index. Between indexes that it finds equally good, SQLite chooses the one that
 * was created last.
 */
async function indexItems(schema: SchemaModule, engine: Engine): Promise<void> {
  const index = (name: string) => schema.createIndex(name).on('items')
  // Siblings have different names. An item that was itself trashed frees its name.
  await index('items_sibling_name')
    .unique()
    .columns(['parent_id', 'name_key'])
    .where(sql<boolean>`trashed_at is null`)
    .execute()
  // Includes trashed items, because walks of whole subtrees and the foreign key use it too. On PostgreSQL it also has
  // `trashed_at`, so that a position far down a list is found in the index alone; an item that is trashed gets a
  // new entry there anyway. On SQLite that would be one more entry to write.
  await index('items_listing')
    .columns(['parent_id', 'kind', 'sort_key', 'id', ...(engine === 'postgres' ? (['trashed_at'] as const) : [])])
    .execute()
  await index('items_root').unique().columns(['owner_id', 'area']).where(sql<boolean>`parent_id is null`).execute()
  await index('items_blob').column('blob_key').where(sql<boolean>`blob_key is not null`).execute()
  await index('items_favorites')
    .columns(['owner_id', 'kind desc', 'sort_key', 'id'])
    .where(sql<boolean>`favorite_at is not null and trash_id is null`)
    .execute()
  await index('items_shared')
    .columns(['owner_id', 'shared_at desc', 'id desc'])
    .where(sql<boolean>`shared_at is not null`)
    .execute()
  await index('items_vault_name')
    .columns(['owner_id', 'name_key'])
    .where(sql<boolean>`area = 'vault' and trash_id is null`)
    .execute()
  await index('items_media')
    .columns(['owner_id', 'media', 'sort_key', 'id'])
    .where(sql<boolean>`media is not null`)
    .execute()
  // Holds only media that wasn't read yet: looking for more costs nothing, however large a library is.
  await index('items_media_unread')
    .column('blob_key')
    .where(sql<boolean>`media is not null and media_read_at is null`)
    .execute()
  // All items of a user, and among them the trashed ones by age.
  await index('items_owner').columns(['owner_id', 'trashed_at']).execute()
  // Items in a trashed folder. The trashed item itself is found by its own id.
  await index('items_hidden')
    .column('trash_id')
    .where(sql<boolean>`trash_id is not null and trashed_at is null`)
    .execute()
  // Finds the newest and the oldest vault files that have a check value.
  await index('items_vault_checked')
    .columns(['owner_id', 'created_at', 'id'])
    .where(sql<boolean>`area = 'vault' and kind = 'file' and trash_id is null and vault_check is not null`)
    .execute()
}

async function createUploads(schema: SchemaModule, { text, clustered }: ColumnTypes): Promise<void> {
  await schema
    .createTable('uploads')
    .addColumn('id', text, primaryKey)
    .addColumn('owner_id', text, ofUser)
    .addColumn('filename', text, required)
    .addColumn('total_chunks', 'integer', required)
    .addColumn('total_size', 'bigint')
    .addColumn('chunk_size', 'bigint')
    .addColumn('received_bytes', 'bigint', zero)
    .addColumn('reserved_bytes', 'bigint', zero)
    .addColumn('area', text, required)
    .addColumn('folder_id', text)
    .addColumn('folders', text, required)
    .addColumn('on_conflict', text, required)
    .addColumn('blob_key', text, required)
    .addColumn('item_id', text)
    .addColumn('completed_at', 'bigint')
    .addColumn('expires_at', 'bigint', required)
    .addColumn('vault_check', text)
    .$call(clustered)
    .execute()
  const index = (name: string) => schema.createIndex(name).on('uploads')
  await index('uploads_owner').column('owner_id').execute()
  await index('uploads_expiry').column('expires_at').execute()
  await index('uploads_blob').column('blob_key').where(sql<boolean>`completed_at is null`).execute()
  // A user who just uploaded a million files has a million uploads, and hardly any that are unfinished.
  await index('uploads_unfinished').column('owner_id').where(sql<boolean>`completed_at is null`).execute()

  const ofUpload = (column: ColumnDefinitionBuilder) => column.notNull().references('uploads.id').onDelete('cascade')
  await schema
    .createTable('upload_chunks')
    .addColumn('upload_id', text, ofUpload)
    .addColumn('chunk_index', 'integer', required)
    .addColumn('size', 'bigint', required)
    .addColumn('is_parked', 'integer', zero)
    .addPrimaryKeyConstraint('upload_chunks_pkey', ['upload_id', 'chunk_index'])
    .$call(clustered)
    .execute()
  await schema
    .createTable('arriving_chunks')
    .addColumn('upload_id', text, ofUpload)
    .addColumn('chunk_index', 'integer', required)
    .addColumn('size', 'bigint', required)
    .addPrimaryKeyConstraint('arriving_chunks_pkey', ['upload_id', 'chunk_index'])
    .$call(clustered)
    .execute()
}

async function createDownloadsAndLinks(schema: SchemaModule, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('download_selections')
    .addColumn('id', text, primaryKey)
    .addColumn('owner_id', text, ofUser)
    .addColumn('name', text, required)
    .addColumn('item_ids', text, required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await schema
    .createIndex('download_selections_owner')
    .on('download_selections')
    .columns(['owner_id', 'expires_at'])
    .execute()

  await schema
    .createTable('public_links')
    .addColumn('item_id', text, (column) => column.primaryKey().references('items.id').onDelete('cascade'))
    .addColumn('token', text, unique)
    .addColumn('password_hash', text)
    .addColumn('expires_at', 'bigint')
    .addColumn('download_count', 'bigint', zero)
    .execute()
}

async function createMedia(schema: SchemaModule, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('media_facts')
    .addColumn('blob_key', text, (column) => column.primaryKey().references('blobs.key').onDelete('cascade'))
    .addColumn('title', text)
    .addColumn('artist', text)
    .addColumn('album', text)
    .addColumn('track', 'integer')
    .addColumn('duration', 'double precision')
    .addColumn('has_cover', 'integer', zero)
    .addColumn('read_at', 'bigint', required)
    .addColumn('streams', text)
    .execute()

  await schema
    .createTable('playlists')
    .addColumn('id', text, primaryKey)
    .addColumn('owner_id', text, ofUser)
    .addColumn('name', text, required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()
  await schema.createIndex('playlists_owner').on('playlists').column('owner_id').execute()
  // A track may be in a playlist more than once, and is deleted with its file.
  await schema
    .createTable('playlist_tracks')
    .addColumn('playlist_id', text, (column) => column.notNull().references('playlists.id').onDelete('cascade'))
    .addColumn('place', 'integer', required)
    .addColumn('item_id', text, (column) => column.notNull().references('items.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('playlist_tracks_pkey', ['playlist_id', 'place'])
    .execute()
  await schema.createIndex('playlist_tracks_item').on('playlist_tracks').column('item_id').execute()
}

/** Creates the search index. Names that are new to it wait in `search_pending`, where triggers put them. */
async function createSearch(schema: SchemaModule, { text, bytes, identity, clustered }: ColumnTypes): Promise<void> {
  // Without foreign keys, which the database would check for every file that is stored.
  await schema
    .createTable('search_pending')
    .addColumn('owner_id', text, required)
    .addColumn('item_id', text, required)
    .addColumn('name_key', text, required)
    .addColumn('stamp', 'bigint', required)
    .addPrimaryKeyConstraint('search_pending_pkey', ['owner_id', 'item_id'])
    .$call(clustered)
    .execute()

  await schema
    .createTable('search_segments')
    .addColumn('id', identity)
    .addColumn('owner_id', text, ofUser)
    .addColumn('state', text, (column) => column.notNull().check(sql`state in ('building', 'ready', 'retired')`))
    .addColumn('size', 'integer', zero)
    .addColumn('is_stale', 'integer', zero)
    .addColumn('changed_at', 'bigint', required)
    .execute()
  const index = (name: string) => schema.createIndex(name).on('search_segments')
  await index('search_segments_owner').columns(['owner_id', 'id']).execute()
  await index('search_segments_building').unique().column('owner_id').where(sql<boolean>`state = 'building'`).execute()
  await index('search_segments_swept').column('changed_at').where(sql<boolean>`state <> 'ready'`).execute()

  await schema
    .createTable('search_members')
    .addColumn('place', 'bigint', primaryKey)
    .addColumn('item_id', text, required)
    .addColumn('folded', text)
    .$call(clustered)
    .execute()
  // The key starts with the segment: a segment is appended when it is built, and deleted as one range.
  await schema
    .createTable('search_postings')
    .addColumn('segment', 'bigint', required)
    .addColumn('gram', text, required)
    .addColumn('places', bytes, required)
    .addPrimaryKeyConstraint('search_postings_pkey', ['segment', 'gram'])
    .$call(clustered)
    .execute()
}

async function createBilling(schema: SchemaModule, { text, clustered }: ColumnTypes): Promise<void> {
  await schema
    .createTable('billing_customers')
    .addColumn('user_id', text, isUser)
    .addColumn('realm', text, required)
    .addColumn('customer_id', text, (column) => column.unique())
    .addColumn('customer_number', 'integer', zero)
    .addColumn('checkout_id', text)
    .addColumn('checkout_number', 'integer', zero)
    .addColumn('subscription_id', text)
    .addColumn('status', text, (column) => column.notNull().defaultTo('free'))
    .addColumn('plan_id', 'integer', zero)
    .addColumn('price_in_cents', 'bigint', zero)
    .addColumn('currency', text, (column) => column.notNull().defaultTo('usd'))
    .addColumn('period_end', 'bigint')
    .addColumn('ends_at', 'bigint')
    .addColumn('past_due_since', 'bigint')
    .addColumn('lifetime_plan_id', 'integer')
    .addColumn('granted_plan_id', 'integer')
    .addColumn('sync_version', 'bigint', zero)
    .addColumn('synced_version', 'bigint', zero)
    .$call(clustered)
    .execute()
  await schema
    .createIndex('billing_customers_past_due')
    .on('billing_customers')
    .column('past_due_since')
    .where(sql<boolean>`past_due_since is not null`)
    .execute()

  await schema
    .createTable('stripe_events')
    .addColumn('id', text, primaryKey)
    .addColumn('received_at', 'bigint', required)
    .$call(clustered)
    .execute()
  await schema.createIndex('stripe_events_age').on('stripe_events').column('received_at').execute()

  await schema
    .createTable('billing_mails')
    .addColumn('user_id', text, ofUser)
    .addColumn('about', text, required)
    .addPrimaryKeyConstraint('billing_mails_pkey', ['user_id', 'about'])
    .$call(clustered)
    .execute()
}

async function createBackgroundWork(schema: SchemaModule, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('jobs')
    .addColumn('id', text, primaryKey)
    .addColumn('kind', text, required)
    .addColumn('payload', text, required)
    .addColumn('run_at', 'bigint', required)
    .addColumn('attempts', 'integer', zero)
    .execute()
  await schema.createIndex('jobs_due').on('jobs').column('run_at').execute()

  await schema
    .createTable('scrub')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('position', text, required)
    .addColumn('bytes_left', 'bigint', required)
    .addColumn('round_began_at', 'bigint')
    .addColumn('round_ended_at', 'bigint')
    .addColumn('holder', 'text')
    .addColumn('held_until', 'bigint', required)
    .execute()
}

const isSearchable = sql.raw(`new.area = 'drive' and new.parent_id is not null and new.trash_id is null`)
const isNewlySearchable = sql.raw(
  `new.area = 'drive' and new.parent_id is not null and new.trash_id is null
   and (new.name <> old.name or old.trash_id is not null)`,
)
// `stamp` is the version of the user's tree, which rises with every change. The indexer removes a name only with the
// stamp that it read, so a name that changes again meanwhile stays pending.
const rememberName = sql.raw(`
  insert into search_pending (owner_id, item_id, name_key, stamp)
  values (new.owner_id, new.id, new.name_key, (select tree_version from users where id = new.owner_id))
  on conflict (owner_id, item_id) do update set name_key = excluded.name_key, stamp = excluded.stamp;`)
// `search_members.place` is the segment's id times 8192 plus the position in the segment.
const forgetSegment = sql.raw(`
  delete from search_postings where segment = old.id;
  delete from search_members where place >= old.id * 8192 and place < (old.id + 1) * 8192;`)
const forgetUser = sql.raw('delete from search_pending where owner_id = old.id;')

async function createSearchTriggersOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger search_item_added after insert on items when ${isSearchable}
    begin ${rememberName} end`.execute(db)
  await sql`create trigger search_item_changed after update of name, trash_id on items when ${isNewlySearchable}
    begin ${rememberName} end`.execute(db)
  await sql`create trigger search_segment_deleted after delete on search_segments begin ${forgetSegment} end`.execute(
    db,
  )
  await sql`create trigger search_user_deleted after delete on users begin ${forgetUser} end`.execute(db)
}

async function createSearchTriggersOnPostgres(db: Kysely<unknown>): Promise<void> {
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

/**
 * Fills `items.media` by trigger, because PostgreSQL 18 parses the expression of a stored generated column again for
 * each row of an update, even if the update doesn't touch the column: that took a third of the time, and four kilobytes
 * of memory a row until the update ended. A migration that adds a kind of media replaces the function and the trigger.
 */
async function setMediaByTrigger(db: Kysely<unknown>): Promise<void> {
  await sql`create function set_media() returns trigger language plpgsql as $$ begin
    new.media := ${mediaOf('new.')};
    return new;
  end $$`.execute(db)
  // Corrects any value that a statement gives for the column. Most items aren't media and never call the function.
  await sql`create trigger items_media_set before insert or update of media, extension, kind, area on items for each row
    when (new.media is not null or new.extension in (${sql.raw(listOf([...AUDIO, ...VIDEO]))}))
    execute function set_media()`.execute(db)
}

/**
 * Tells PostgreSQL's planner to assume ten items a folder. In the sample that `analyze` takes, a few very large folders
 * can be all there is; the planner would then expect every folder to be that large, and scan the items of all users to
 * list one. It still knows the size of the largest folders. The setting takes effect with the next `analyze`.
 */
async function hintPostgresPlanner(db: Kysely<unknown>): Promise<void> {
  await sql`alter table items alter column parent_id set (n_distinct = -0.1)`.execute(db)
}

/**
 * Gives SQLite's planner one fixed statistic. Real ones would go out of date: taken from a table of a few rows, they
 * make it scan the whole table, and still do so when there are a million. Without statistics it chooses by the indexes,
 * and our queries are written for that. The one exception is `items_owner`: a user may have very many items, so the
 * planner should choose that index last.
 */
async function hintSqlitePlanner(db: Kysely<unknown>): Promise<void> {
  // `analyze` creates the table of statistics.
  await sql`analyze items_owner`.execute(db)
  await sql`delete from sqlite_stat1`.execute(db)
  await sql`insert into sqlite_stat1 (tbl, idx, stat) values ('items', 'items_owner', '1000000 100000 100000')`.execute(
    db,
  )
  // Makes this connection load the statistics.
  await sql`analyze sqlite_schema`.execute(db)
}
