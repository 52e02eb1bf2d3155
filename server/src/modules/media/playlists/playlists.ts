import type { Playlist } from '@alcove/contract/media'
import { sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { PlaylistRow } from '../../../platform/db/tables.ts'
import { isAmong, textTable } from '../../../platform/db/text-list.ts'
import { formatTime } from '../../../platform/iso-time.ts'

/** Says anew which tracks a playlist has, in the given order; each must be music of the user's own drive. */
export async function setTracks(
  tx: Tx,
  user: SessionUser,
  playlistId: string,
  trackIds: readonly string[],
): Promise<void> {
  await tx.deleteFrom('playlist_tracks').where('playlist_id', '=', playlistId).execute()
  const { count } = await tx
    .selectFrom('items')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isAmong(tx, 'id', trackIds))
    .where('owner_id', '=', user.id)
    .where('media', '=', 'audio')
    .executeTakeFirstOrThrow()
  if (Number(count) !== new Set(trackIds).size) throw notFound('track')
  if (trackIds.length === 0) return
  const rows = trackIds.map((itemId, place) => ({ place: String(place), item_id: itemId }))
  await sql`
    insert into playlist_tracks (playlist_id, place, item_id)
    select ${sql.lit(playlistId)}, cast(given.place as integer), given.item_id
    from ${textTable(tx, ['place', 'item_id'], rows)} given`.execute(tx)
}

/** The tracks of playlists, in order. */
export async function readTracks(db: Database, playlistIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('playlist_tracks')
    .select(['playlist_id', 'item_id'])
    .where(isAmong(db, 'playlist_id', playlistIds))
    .orderBy('playlist_id')
    .orderBy('place')
    .execute()
  const tracks = new Map<string, string[]>(playlistIds.map((id) => [id, []]))
  for (const { playlist_id, item_id } of rows) tracks.get(playlist_id)?.push(item_id)
  return tracks
}

export function presentPlaylist(row: PlaylistRow, trackIds: string[]): Playlist {
  return {
    id: row.id,
    name: row.name,
    track_ids: trackIds,
    createdAt: formatTime(row.created_at),
    updatedAt: formatTime(row.updated_at),
  }
}
