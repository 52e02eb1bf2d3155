import { randomUUIDv7 } from 'node:crypto'
import { MAX_PLAYLISTS } from '@alcove/contract/limits'
import type { createPlaylist as call } from '@alcove/contract/media'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { lockTree } from '../../items/index.ts'
import { presentPlaylist, setTracks } from './playlists.ts'

export const createPlaylist: Operation<typeof call> = async ({ db, user, clock }, { name, track_ids }) => {
  const now = clock.now()
  const row = { id: randomUUIDv7(), owner_id: user.id, name, created_at: now, updated_at: now }
  await db.transaction().execute(async (tx) => {
    await lockTree(tx, user.id)
    await tx.insertInto('playlists').values(row).execute()
    const { count } = await tx
      .selectFrom('playlists')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('owner_id', '=', user.id)
      .executeTakeFirstOrThrow()
    if (Number(count) > MAX_PLAYLISTS) throw tooMany()
    await setTracks(tx, user, row.id, track_ids)
  })
  return presentPlaylist(row, track_ids)
}

function tooMany(): AppError {
  return new AppError(
    'state_conflict',
    `There are ${MAX_PLAYLISTS.toLocaleString('en-US')} playlists, and no room for more.`,
  )
}
