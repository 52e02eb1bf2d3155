import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/** The lists of 001-initial.ts. */
const AUDIO = `'mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac', 'aif', 'aiff', 'wma', 'ape'`
const VIDEO = `'mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv'`

/** Takes the files in which macOS stores metadata out of `items.media`: beside each song, it puts a `._song.mp3`. */
export async function macMetadata(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await (engine === 'sqlite' ? replaceColumnOnSqlite(db) : replaceTriggerOnPostgres(db))
}

/** Returns the expression for `items.media`. In a trigger, the columns are prefixed with `new.`. */
function mediaOf(row: '' | 'new.') {
  return sql.raw(`case when ${row}kind = 'file' and ${row}area = 'drive' and substr(${row}name, 1, 2) <> '._' then
    case when ${row}extension in (${AUDIO}) then 'audio' when ${row}extension in (${VIDEO}) then 'video' end
  end`)
}

/** The column is virtual, so no row is written. */
async function replaceColumnOnSqlite(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('items_media').execute()
  await db.schema.dropIndex('items_media_unread').execute()
  await db.schema.alterTable('items').dropColumn('media').execute()
  await db.schema
    .alterTable('items')
    .addColumn('media', 'text', (column) => column.generatedAlwaysAs(mediaOf('')))
    .execute()
  await db.schema
    .createIndex('items_media')
    .on('items')
    .columns(['owner_id', 'media', 'sort_key', 'id'])
    .where(sql<boolean>`media is not null`)
    .execute()
  await db.schema
    .createIndex('items_media_unread')
    .on('items')
    .column('blob_key')
    .where(sql<boolean>`media is not null and media_read_at is null`)
    .execute()
}

async function replaceTriggerOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function set_media() returns trigger language plpgsql as $$ begin
    new.media := ${mediaOf('new.')};
    return new;
  end $$`.execute(db)
  // Renaming a file can make it media, too.
  await sql`create or replace trigger items_media_set before insert or update of media, name, extension, kind, area on items
    for each row when (new.media is not null or new.extension in (${sql.raw(`${AUDIO}, ${VIDEO}`)}))
    execute function set_media()`.execute(db)
  await sql`update items set media = null where media is not null and substr(name, 1, 2) = '._'`.execute(db)
}
