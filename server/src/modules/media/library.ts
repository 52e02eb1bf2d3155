import { calls } from '@alcove/contract/calls'
import type { MediaFile } from '@alcove/contract/media'
import type { UserContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { isInReach, withoutRoot } from '../items/index.ts'
import { findStream } from './streaming/stream-url.ts'

export const listAudio = endpoint(calls.listAudio, (ctx) => listMedia(ctx, 'audio'))
export const listVideo = endpoint(calls.listVideo, (ctx) => listMedia(ctx, 'video'))

/** Lists all music or videos in the user's drive, with the metadata that have been read so far. */
async function listMedia({ db, user }: UserContext, kind: 'audio' | 'video'): Promise<MediaFile[]> {
  const rows = await db
    .selectFrom('items')
    .leftJoin('media_facts', 'media_facts.blob_key', 'items.blob_key')
    .select(['items.id', 'items.name', 'items.parent_id', 'items.size', 'items.updated_at', 'items.modified_at'])
    .select(['title', 'artist', 'album', 'track', 'duration', 'has_cover'])
    .where('items.owner_id', '=', user.id)
    .where(isInReach(user))
    .where('items.media', '=', kind)
    .where('items.trash_id', 'is', null)
    .orderBy('items.sort_key')
    .orderBy('items.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    filename: row.name,
    folder_id: withoutRoot(row.parent_id, user),
    size: row.size,
    modifiedAt: formatTime(row.modified_at as number),
    updatedAt: formatTime(row.updated_at),
    title: row.title ?? undefined,
    artist: row.artist ?? undefined,
    album: row.album ?? undefined,
    track: row.track ?? undefined,
    duration: row.duration ?? undefined,
    hasCover: row.has_cover === 1 || undefined,
  }))
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
