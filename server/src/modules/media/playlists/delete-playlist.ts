import type { deletePlaylist as call } from '@alcove/contract/media'
import { notFound } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { lockTree } from '../../items/index.ts'

export const deletePlaylist: Operation<typeof call> = async ({ db, user }, { id }) =>
  db.transaction().execute(async (tx) => {
    await lockTree(tx, user.id)
    const { numDeletedRows } = await tx
      .deleteFrom('playlists')
      .where('id', '=', id)
      .where('owner_id', '=', user.id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('playlist')
    return { message: 'Playlist deleted.' }
  })
