import { extensionOf, VIDEO_EXTENSIONS } from '@alcove/contract/file-types'
import type { getStreamUrl as call } from '@alcove/contract/media'
import { notFound } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { findStream } from './find-stream.ts'
import { grantStream } from './grant-stream.ts'
import { canConvert, findStreams, readStreams, waysOf } from './playable-media.ts'
import { streamKindOf } from './stream-kind.ts'

const videos: readonly string[] = VIDEO_EXTENSIONS
/** Nearly always what browsers play: begun at once, also before it is known what they are made of. */
const COMMON = ['mp4', 'm4v', 'webm', 'mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac']

export const getStreamUrl: Operation<typeof call> = async (ctx, { id }) => {
  const file = await findStream(ctx.db, ctx.user.id, id)
  if (!file) throw notFound('file')
  const stream = grantStream(ctx, file)
  const extension = extensionOf(file.name)
  const isConvertible = canConvert(ctx)
  const isAsked = isConvertible && !COMMON.includes(extension)
  const known = isAsked ? await readStreams(ctx, file, ctx.abortSignal()) : await findStreams(ctx, file)
  const kind = streamKindOf(known?.streams, extension, isConvertible)
  const ways = !isConvertible ? [] : known ? waysOf(known) : (['encode'] as const)
  const hasPictures = known ? known.streams?.video !== undefined : videos.includes(extension)
  return {
    url: stream(),
    kind: kind === 'hls' && ways.length === 0 ? 'unplayable' : kind,
    playlists: ways.map((way) => stream('/playlist', { way })),
    storyboard: hasPictures && ways.length > 0 ? stream('/storyboard') : undefined,
  }
}
