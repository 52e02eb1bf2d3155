import { Readable } from 'node:stream'
import type { getStreamPlaylist as call } from '@alcove/contract/media'
import type { Operation } from '../../platform/http/api.ts'
import { writePlaylist } from '../../platform/media/segment-plan.ts'
import { getGranted } from './find-stream.ts'
import { canConvert, notPlayable, readStreams } from './known-streams.ts'

/** Every part has an address that is good for this video alone, as long as that of the playlist is. */
export const getStreamPlaylist: Operation<typeof call> = async (ctx, grant) => {
  const file = await getGranted(ctx, grant)
  if (!canConvert(ctx)) throw notPlayable()
  const { streams, duration } = await readStreams(ctx, file, ctx.hangUp())
  if (!streams || duration === undefined) throw notPlayable()
  const { owner, expires, signature } = grant
  const query = new URLSearchParams({ owner, expires, signature })
  const text = writePlaylist(duration, (index) => `segments/${index}?${query}`)
  return {
    kind: 'stream',
    filename: `${file.name}.m3u8`,
    mimeType: 'application/vnd.apple.mpegurl',
    open: () => Readable.from([Buffer.from(text)]),
  }
}
