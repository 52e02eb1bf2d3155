import { calls } from '@alcove/contract/calls'
import { extensionOf } from '@alcove/contract/file-types'
import { notFound } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { nameKey } from '../../items/index.ts'
import { findStream } from './stream-url.ts'

/** Lists subtitle files in the video's folder that have its name, optionally followed by a language. */
export const listSubtitles = endpoint(calls.listSubtitles, async ({ db, user }, { id }) => {
  const video = await findStream(db, user.id, id)
  if (!video) throw notFound('file')
  const base = video.name.slice(0, -extensionOf(video.name).length - 1)
  const rows = await db
    .selectFrom('items')
    .select(['id', 'name'])
    .where('parent_id', '=', video.parent_id)
    .where('kind', '=', 'file')
    .where('trash_id', 'is', null)
    .where('trashed_at', 'is', null) // as in the index of names
    // A range of the name index: all names that begin with the base and a dot. '/' is the next character after the dot.
    .where('name_key', '>=', nameKey(`${base}.`))
    .where('name_key', '<', nameKey(`${base}/`))
    .where('extension', 'in', ['vtt', 'srt'])
    .orderBy('name_key')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    filename: row.name,
    label: row.name.slice(base.length + 1, -extensionOf(row.name).length - 1),
  }))
})
