import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

// As the contract has them at this step of the tables' history, which never changes; a new kind of file is a new step.
const AUDIO = ['mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac']
const VIDEO = ['mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv']

/** What music and video need: the kind of each file, what files say of themselves, playlists. SQLite and PostgreSQL. */
export async function createMedia(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  // Computed by the database, so that no way of naming a file can forget it.
  const listOf = (extensions: readonly string[]) => sql.join(extensions.map((extension) => sql.lit(extension)))
  await sql`alter table items add column media ${text} generated always as (
    case when kind = 'file' and area = 'drive' then
      case when extension in (${listOf(AUDIO)}) then 'audio' when extension in (${listOf(VIDEO)}) then 'video' end
    end) ${engine === 'postgres' ? sql`stored` : sql`virtual`}`.execute(db)
  // In the order of the lists. Only media are in it, so the others pay nothing for it.
  await sql`create index items_media on items (owner_id, media, sort_key, id) where media is not null`.execute(db)

  await sql`create table media_facts (
    blob_key ${text} primary key references blobs (key) on delete cascade,
    title ${text}, artist ${text}, album ${text}, track integer, duration double precision,
    has_cover integer not null default 0, read_at bigint not null)`.execute(db)

  await sql`create table playlists (
    id ${text} primary key, owner_id ${text} not null references users (id) on delete cascade,
    name ${text} not null, created_at bigint not null, updated_at bigint not null)`.execute(db)
  await sql`create index playlists_owner on playlists (owner_id)`.execute(db)
  // A track may be in a playlist more than once, and goes with its file.
  await sql`create table playlist_tracks (
    playlist_id ${text} not null references playlists (id) on delete cascade,
    place integer not null, item_id ${text} not null references items (id) on delete cascade,
    primary key (playlist_id, place))`.execute(db)
  await sql`create index playlist_tracks_item on playlist_tracks (item_id)`.execute(db)
}
