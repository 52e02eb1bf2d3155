import { calls } from '@alcove/contract/calls'
import { extensionOf } from '@alcove/contract/file-types'
import { notFound } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { nameKey } from '../../items/index.ts'
import { findStream } from './stream-url.ts'

/** Those of the video's folder whose name is the video's, with another extension and perhaps a language before it. */
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
    .where('trashed_at', 'is', null) // as the index of names has it
    // A range of the index of names: all that begin with the base and a dot, '/' being the sign after it.
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
