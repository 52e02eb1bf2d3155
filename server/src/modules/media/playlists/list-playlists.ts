import type { listPlaylists as call } from '@alcove/contract/media'
import type { Operation } from '../../../platform/http/api.ts'
import { presentPlaylist, readTracks } from './playlists.ts'

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export const listPlaylists: Operation<typeof call> = async ({ db, user }) => {
  const rows = await db.selectFrom('playlists').selectAll().where('owner_id', '=', user.id).execute()
  const tracks = await readTracks(
    db,
    rows.map(({ id }) => id),
  )
  return rows
    .sort((a, b) => byName.compare(a.name, b.name) || a.created_at - b.created_at)
    .map((row) => presentPlaylist(row, tracks.get(row.id) ?? []))
}
