import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

// As the contract has them at this step of the tables' history, which never changes; a new kind of file is a new step.
export const AUDIO = ['mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac', 'aif', 'aiff', 'wma', 'ape']
export const VIDEO = ['mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv']

/** More kinds of music, and films read anew where it is worth knowing at which pictures they can be cut. SQLite and PostgreSQL. */
export async function renewMedia(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  const listOf = (extensions: readonly string[]) => sql.join(extensions.map((extension) => sql.lit(extension)))
  // What a column is computed from cannot be changed: it is made anew, and the indexes on it.
  await sql`drop index items_media`.execute(db)
  await sql`drop index items_media_unread`.execute(db)
  await sql`alter table items drop column media`.execute(db)
  await sql`alter table items add column media ${text} generated always as (
    case when kind = 'file' and area = 'drive' then
      case when extension in (${listOf(AUDIO)}) then 'audio' when extension in (${listOf(VIDEO)}) then 'video' end
    end) ${engine === 'postgres' ? sql`stored` : sql`virtual`}`.execute(db)
  await sql`create index items_media on items (owner_id, media, sort_key, id) where media is not null`.execute(db)
  await sql`create index items_media_unread on items (blob_key) where media is not null and media_read_at is null`.execute(
    db,
  )
  await sql`update items set media_read_at = null
    where blob_key in (select blob_key from media_facts where streams like '%"h264"%') and media is not null`.execute(
    db,
  )
}
