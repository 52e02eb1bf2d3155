import type { getPlayback as call } from '@alcove/contract/media'
import { notFound } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { findStream } from './find-stream.ts'
import { grantStream } from './grant-stream.ts'
import { canConvert, readStreams, waysOf } from './playable-media.ts'

export const getPlayback: Operation<typeof call> = async (ctx, { id }) => {
  const file = await findStream(ctx.db, ctx.user.id, id)
  if (!file) throw notFound('file')
  if (!canConvert(ctx)) return { playlists: [] }
  const stream = grantStream(ctx, file)
  const known = await readStreams(ctx, file, ctx.abortSignal())
  return { playlists: waysOf(known).map((way) => stream('/playlist', { way })) }
}
