import type { streamFile as call } from '@alcove/contract/media'
import { AppError, notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { isGranted } from '../../platform/secrets/signed-url.ts'
import { answerFile } from '../../tree/answer-bytes.ts'
import { findStream } from './find-stream.ts'

/** The bytes behind a signed address. The file must still be its owner's and visible. */
export const streamFile: Operation<typeof call> = async (ctx, { id, owner, expires, signature }) => {
  if (!isGranted(ctx.secrets.urlKey, 'stream', { id, owner, expires: Number(expires) }, signature, ctx.clock.now())) {
    throw new AppError('forbidden', 'This stream has expired. Please start it again.')
  }
  const file = await findStream(ctx.db, owner, id)
  if (!file) throw notFound('file')
  return answerFile(file, 'inline')
}
