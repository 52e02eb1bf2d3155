import { calls } from '@alcove/contract/calls'
import type { MediaFile } from '@alcove/contract/media'
import type { UserContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { isInReach, listFoldersBelow, listSharedFolders, readSharedPlaces, withoutRoot } from '../items/index.ts'
import { findStream } from './streaming/stream-url.ts'

export const listAudio = endpoint(calls.listAudio, (ctx) => listMedia(ctx, 'audio'))
export const listVideo = endpoint(calls.listVideo, (ctx) => listMedia(ctx, 'video'))

type Kind = 'audio' | 'video'

/** Lists all music or videos of a user, with the metadata that have been read so far. */
async function listMedia(ctx: UserContext, kind: Kind): Promise<MediaFile[]> {
  const { db, user } = ctx
  const own = await selectMedia(db, kind)
    .where('items.owner_id', '=', user.id)
    .where(isInReach(user))
    .orderBy('items.sort_key')
    .orderBy('items.id')
    .execute()
  const shared = user.hasSharedFolders ? await listSharedMedia(ctx, kind) : []
  const files = own.map((row) => presentMedia(row, withoutRoot(row.parent_id, user)))
  if (shared.length === 0) return files
  // Both are sorted by the same key.
  const keys = new Map([...own, ...shared.map(({ row }) => row)].map(({ id, sort_key }) => [id, sort_key]))
  const keyOf = ({ id }: MediaFile) => keys.get(id) as string
  return [...files, ...shared.map(({ file }) => file)].sort((one, other) =>
    keyOf(one) === keyOf(other) ? (one.id < other.id ? -1 : 1) : keyOf(one) < keyOf(other) ? -1 : 1,
  )
}

/** Lists the music or videos in folders that others share. What else their owners have isn't read. */
async function listSharedMedia({ db, user }: UserContext, kind: Kind): Promise<{ row: MediaRow; file: MediaFile }[]> {
  const shared = await listSharedFolders(db, user.id)
  const folders = await listFoldersBelow(
    db,
    shared.map(({ id }) => id),
  )
  // A shared folder may lie in another one.
  const ids = [...new Set(folders.map(({ id }) => id))]
  const rows = await selectMedia(db, kind)
    .where(isAmong(db, 'items.parent_id', ids))
    .execute()
  const places = await readSharedPlaces(db, user.id, rows)
  return rows.flatMap((row) => {
    const place = places.get(row.id)
    return place ? [{ row, file: { ...presentMedia(row, place.parentId), sharedBy: place.sharedBy } }] : []
  })
}

function selectMedia(db: Database, kind: Kind) {
  return db
    .selectFrom('items')
    .leftJoin('media_facts', 'media_facts.blob_key', 'items.blob_key')
    .select(['items.id', 'items.name', 'items.kind', 'items.parent_id', 'items.sort_key'])
    .select(['items.size', 'items.updated_at', 'items.modified_at'])
    .select(['title', 'artist', 'album', 'track', 'duration', 'has_cover'])
    .where('items.media', '=', kind)
    .where('items.trash_id', 'is', null)
}

type MediaRow = Awaited<ReturnType<ReturnType<typeof selectMedia>['executeTakeFirstOrThrow']>>

function presentMedia(row: MediaRow, folderId: string | null): MediaFile {
  return {
    id: row.id,
    filename: row.name,
    folder_id: folderId,
    size: row.size,
    modifiedAt: formatTime(row.modified_at as number),
    updatedAt: formatTime(row.updated_at),
    title: row.title ?? undefined,
    artist: row.artist ?? undefined,
    album: row.album ?? undefined,
    track: row.track ?? undefined,
    duration: row.duration ?? undefined,
    hasCover: row.has_cover === 1 || undefined,
  }
}

/** Returns the metadata of one of the user's files, or nothing if they haven't been read yet. */
export const getMediaTags = endpoint(calls.getMediaTags, async ({ db, user }, { id }) => {
  const file = await findStream(db, user, id)
  if (!file?.blob_key) throw notFound('file')
  const row = await db
    .selectFrom('media_facts')
    .select(['title', 'artist', 'album', 'has_cover'])
    .where('blob_key', '=', file.blob_key)
    .executeTakeFirst()
  return {
    title: row?.title ?? undefined,
    artist: row?.artist ?? undefined,
    album: row?.album ?? undefined,
    hasCover: row?.has_cover === 1 || undefined,
  }
})
