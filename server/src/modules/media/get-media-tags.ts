import type { getMediaTags as call } from '@alcove/contract/media'
import { notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { findStream } from './streaming/find-stream.ts'

/** Returns what has been read from one of the user's own files; nothing for what hasn't been read yet. */
export const getMediaTags: Operation<typeof call> = async ({ db, user }, { id }) => {
  const file = await findStream(db, user.id, id)
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
}
