import { STREAM_URL_TTL } from '@alcove/contract/limits'
import type { getStreamUrl as call } from '@alcove/contract/media'
import { notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { signGrant } from '../../platform/secrets/signed-url.ts'
import { findStream } from './find-stream.ts'

export const getStreamUrl: Operation<typeof call> = async (ctx, { id }) => {
  const file = await findStream(ctx.db, ctx.user.id, id)
  if (!file) throw notFound('file')
  const grant = { id: file.id, owner: ctx.user.id, expires: ctx.clock.now() + STREAM_URL_TTL }
  const query = signGrant(ctx.secrets.urlKey, 'stream', grant)
  return { url: `${ctx.config.publicUrl}/api/stream/${file.id}?${query}` }
}
