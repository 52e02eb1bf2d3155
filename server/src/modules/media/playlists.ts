import { calls } from '@alcove/contract/calls'
import { MAX_PLAYLIST_TRACKS, MAX_PLAYLISTS } from '@alcove/contract/limits'
import type { Playlist } from '@alcove/contract/media'
import { sql } from 'kysely'
import type { SessionUser } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong, textTable } from '../../platform/db/portable-sql.ts'
import type { PlaylistRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { PagedResult } from '../../platform/http/paged-result.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { changeTree, readSharedPlaces } from '../items/index.ts'

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export const listPlaylists = endpoint(calls.listPlaylists, async ({ db, user }) => {
  if (isLimitedToFolder(user)) return []
  const rows = await db.selectFrom('playlists').selectAll().where('owner_id', '=', user.id).execute()
  rows.sort((a, b) => byName.compare(a.name, b.name) || a.created_at - b.created_at)
  return new PagedResult(listWithTracks(db, rows))
})

/** Playlists per page, unless they have more tracks than one playlist can have. */
const PLAYLISTS_PER_PAGE = 50

/** Adds the tracks to playlists, in pages. Playlists that are too long for a common page have one each. */
async function* listWithTracks(db: Database, playlists: readonly PlaylistRow[]): AsyncGenerator<Playlist[]> {
  for (let at = 0; at < playlists.length; at += PLAYLISTS_PER_PAGE) {
    const rows = playlists.slice(at, at + PLAYLISTS_PER_PAGE)
    const isShort = await hasAtMost(db, rows, MAX_PLAYLIST_TRACKS)
    for (const page of isShort ? [rows] : rows.map((row) => [row])) {
      const tracks = await readTracks(
        db,
        page.map(({ id }) => id),
      )
      yield page.map((row) => presentPlaylist(row, tracks.get(row.id) ?? []))
    }
  }
}

/** Returns whether playlists have no more tracks than this together. It reads no more than that. */
async function hasAtMost(db: Database, playlists: readonly PlaylistRow[], count: number): Promise<boolean> {
  const ids = playlists.map(({ id }) => id)
  const beyond = await db
    .selectFrom('playlist_tracks')
    .select('place')
    .where(isAmong(db, 'playlist_id', ids))
    .limit(1)
    .offset(count)
    .executeTakeFirst()
  return beyond === undefined
}

export const createPlaylist = endpoint(calls.createPlaylist, async (ctx, { name, track_ids }) => {
  const { user, clock } = ctx
  assertReachesPlaylists(user)
  const now = clock.now()
  const row = { id: orderedId(), owner_id: user.id, name, created_at: now, updated_at: now }
  await changeTree(ctx, async (tx) => {
    await tx.insertInto('playlists').values(row).execute()
    const { count } = await tx
      .selectFrom('playlists')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('owner_id', '=', user.id)
      .executeTakeFirstOrThrow()
    if (Number(count) > MAX_PLAYLISTS) throw tooMany()
    await setTracks(tx, user, row.id, track_ids)
  })
  return presentPlaylist(row, track_ids)
})

function tooMany(): AppError {
  return new AppError(
    'state_conflict',
    `You have ${MAX_PLAYLISTS.toLocaleString('en-US')} playlists, which is the maximum. Delete one, then try again.`,
  )
}

export const updatePlaylist = endpoint(calls.updatePlaylist, async (ctx, { id, name, track_ids, ifUpdatedAt }) =>
  changeTree(ctx, async (tx) => {
    const { user, clock } = ctx
    assertReachesPlaylists(user)
    const now = clock.now()
    const row = await tx
      .updateTable('playlists')
      // Later than before even within a millisecond, so that `ifUpdatedAt` names one state.
      .set({
        updated_at: sql`case when updated_at < ${now} then ${now} else updated_at + 1 end`,
        ...(name !== undefined && { name }),
      })
      .where('id', '=', id)
      .where('owner_id', '=', user.id)
      .$if(ifUpdatedAt !== undefined, (query) => query.where('updated_at', '=', Date.parse(ifUpdatedAt ?? '')))
      .returningAll()
      .executeTakeFirst()
    if (!row) throw await refusalFor(tx, user, id)
    if (track_ids !== undefined) await setTracks(tx, user, id, track_ids)
    return presentPlaylist(row, track_ids ?? (await readTracks(tx, [id])).get(id) ?? [])
  }),
)

/** Returns why a playlist wasn't updated: it is missing, or it has changed since `ifUpdatedAt`. */
async function refusalFor(tx: Tx, user: SessionUser, id: string): Promise<AppError> {
  const found = await tx
    .selectFrom('playlists')
    .select('id')
    .where('id', '=', id)
    .where('owner_id', '=', user.id)
    .executeTakeFirst()
  if (!found) return notFound('playlist')
  return new AppError('state_conflict', 'The playlist has changed since you loaded it. Load it again, then try again.')
}

export const deletePlaylist = endpoint(calls.deletePlaylist, async (ctx, { id }) =>
  changeTree(ctx, async (tx) => {
    const { user } = ctx
    assertReachesPlaylists(user)
    const { numDeletedRows } = await tx
      .deleteFrom('playlists')
      .where('id', '=', id)
      .where('owner_id', '=', user.id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('playlist')
    return { message: 'Playlist deleted.' }
  }),
)

/** Playlists are in no folder, so an app password of one folder reaches none. */
function isLimitedToFolder({ appPassword }: SessionUser): boolean {
  return appPassword !== undefined && appPassword.folderId !== null
}

function assertReachesPlaylists(user: SessionUser): void {
  if (isLimitedToFolder(user)) throw notFound('playlist')
}

/** Replaces the tracks of a playlist in the given order. Each must be music of the user, or that somebody shares. */
async function setTracks(tx: Tx, user: SessionUser, playlistId: string, trackIds: readonly string[]): Promise<void> {
  await assertTracks(tx, user, playlistId, trackIds)
  await tx.deleteFrom('playlist_tracks').where('playlist_id', '=', playlistId).execute()
  if (trackIds.length === 0) return
  const rows = trackIds.map((itemId, place) => ({ place: String(place), item_id: itemId }))
  await sql`
    insert into playlist_tracks (playlist_id, place, item_id)
    select ${sql.lit(playlistId)}, cast(given.place as integer), given.item_id
    from ${textTable(tx, ['place', 'item_id'], rows)} given`.execute(tx)
}

/** Throws 'not found' unless the user may put all tracks into a playlist. One that is no longer shared may stay in it. */
async function assertTracks(
  tx: Tx,
  { id: userId, hasSharedFolders }: SessionUser,
  playlistId: string,
  trackIds: readonly string[],
): Promise<void> {
  const tracks = await tx
    .selectFrom('items')
    .select(['id', 'owner_id', 'parent_id', 'kind', 'name', 'trash_id'])
    .where(isAmong(tx, 'id', trackIds))
    .where('media', '=', 'audio')
    .execute()
  if (tracks.length !== new Set(trackIds).size) throw notFound('track')
  const others = tracks.filter(({ owner_id }) => owner_id !== userId)
  if (others.length === 0) return
  const kept = new Set((await readTracks(tx, [playlistId])).get(playlistId))
  const added = others.filter(({ id }) => !kept.has(id))
  const places = await readSharedPlaces(tx, userId, hasSharedFolders ? added : [])
  if (added.some(({ id, trash_id }) => trash_id !== null || !places.has(id))) throw notFound('track')
}

/** Returns the tracks of playlists in order. */
async function readTracks(db: Database, playlistIds: readonly string[]): Promise<Map<string, string[]>> {
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

function presentPlaylist(row: PlaylistRow, trackIds: string[]): Playlist {
  return {
    id: row.id,
    name: row.name,
    track_ids: trackIds,
    createdAt: formatTime(row.created_at),
    updatedAt: formatTime(row.updated_at),
  }
}
