import type { listAudio as listAudioCall, listVideo as listVideoCall, MediaFile } from '@alcove/contract/media'
import type { UserContext } from '../../context.ts'
import type { Operation } from '../../platform/http/api.ts'
import { formatTime } from '../../platform/iso-time.ts'
import { withoutRoot } from '../items/index.ts'

export const listAudio: Operation<typeof listAudioCall> = (ctx) => listMedia(ctx, 'audio')
export const listVideo: Operation<typeof listVideoCall> = (ctx) => listMedia(ctx, 'video')

/** What of a kind is in the user's drive, wherever it lies, with what was read from the files so far. */
async function listMedia({ db, user }: UserContext, kind: 'audio' | 'video'): Promise<MediaFile[]> {
  const rows = await db
    .selectFrom('items')
    .leftJoin('media_facts', 'media_facts.blob_key', 'items.blob_key')
    .select(['items.id', 'items.name', 'items.parent_id', 'items.size', 'items.updated_at'])
    .select(['title', 'artist', 'album', 'track', 'duration', 'has_cover'])
    .where('items.owner_id', '=', user.id)
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
    updatedAt: formatTime(row.updated_at),
    title: row.title ?? undefined,
    artist: row.artist ?? undefined,
    album: row.album ?? undefined,
    track: row.track ?? undefined,
    duration: row.duration ?? undefined,
    hasCover: row.has_cover === 1 || undefined,
  }))
}
