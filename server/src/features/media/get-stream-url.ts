import { extensionOf, VIDEO_EXTENSIONS } from '@alcove/contract/file-types'
import { STREAM_URL_TTL } from '@alcove/contract/limits'
import type { getStreamUrl as call } from '@alcove/contract/media'
import { notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { signGrant } from '../../platform/secrets/signed-url.ts'
import { findStream } from './find-stream.ts'
import { canConvert, findStreams, readStreams } from './known-streams.ts'
import { streamKindOf } from './stream-kind.ts'

const videos: readonly string[] = VIDEO_EXTENSIONS
/** Nearly always what browsers play: begun at once, also before it is known what they are made of. */
const COMMON = ['mp4', 'm4v', 'webm']

export const getStreamUrl: Operation<typeof call> = async (ctx, { id }) => {
  const file = await findStream(ctx.db, ctx.user.id, id)
  if (!file) throw notFound('file')
  const grant = { id: file.id, owner: ctx.user.id, expires: ctx.clock.now() + STREAM_URL_TTL }
  const query = signGrant(ctx.secrets.urlKey, 'stream', grant)
  const address = `${ctx.config.publicUrl}/api/stream/${file.id}`
  const url = `${address}?${query}`
  const extension = extensionOf(file.name)
  if (!videos.includes(extension)) return { url, kind: 'file' }
  const isConvertible = canConvert(ctx)
  const isAsked = isConvertible && !COMMON.includes(extension)
  const video = isAsked ? await readStreams(ctx, file, ctx.hangUp()) : await findStreams(ctx, file)
  const kind = streamKindOf(video?.streams, extension, isConvertible)
  const hasPlaylist = isConvertible && (video === undefined || (video.streams && video.duration !== undefined))
  if (!hasPlaylist) return { url, kind: kind === 'hls' ? 'unplayable' : kind }
  return { url, kind, playlist: `${address}/playlist?${query}` }
}
