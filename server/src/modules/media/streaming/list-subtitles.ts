import { calls } from '@alcove/contract/calls'
import { extensionOf } from '@alcove/contract/file-types'
import { foldCase } from '@alcove/contract/names'
import { notFound } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { sortKey } from '../../items/index.ts'
import { findStream } from './stream-url.ts'

/** Lists subtitle files in the video's folder that have its name in any case, optionally followed by a language. */
export const listSubtitles = endpoint(calls.listSubtitles, async ({ db, user }, { id }) => {
  const video = await findStream(db, user, id)
  if (!video) throw notFound('file')
  const base = video.name.slice(0, -extensionOf(video.name).length - 1)
  const rows = await db
    .selectFrom('items')
    .select(['id', 'name'])
    .where('parent_id', '=', video.parent_id)
    .where('kind', '=', 'file')
    .where('trash_id', 'is', null)
    // A range of the list's index: all names that begin with the base and a dot, apart from case and accents. '/' is the next
    // character after the dot.
    .where('sort_key', '>=', sortKey(`${base}.`))
    .where('sort_key', '<', sortKey(`${base}/`))
    .where('extension', 'in', ['vtt', 'srt'])
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
  const beginning = foldCase(`${base}.`)
  const subtitles = rows.filter((row) => foldCase(row.name).startsWith(beginning))
  return subtitles.map((row) => ({
    id: row.id,
    filename: row.name,
    label: row.name.slice(base.length + 1, -extensionOf(row.name).length - 1),
  }))
})
