import type { updatePlaylist as call } from '@alcove/contract/media'
import { notFound } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { lockTree } from '../../items/index.ts'
import { presentPlaylist, readTracks, setTracks } from './playlists.ts'

/** The lock is taken first, so that two changes at once come one after the other. */
export const updatePlaylist: Operation<typeof call> = async ({ db, user, clock }, { id, name, track_ids }) =>
  db.transaction().execute(async (tx) => {
    await lockTree(tx, user.id)
    const row = await tx
      .updateTable('playlists')
      .set({ updated_at: clock.now(), ...(name !== undefined && { name }) })
      .where('id', '=', id)
      .where('owner_id', '=', user.id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('playlist')
    if (track_ids !== undefined) await setTracks(tx, user, id, track_ids)
    return presentPlaylist(row, track_ids ?? (await readTracks(tx, [id])).get(id) ?? [])
  })
