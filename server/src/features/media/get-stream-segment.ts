import { createReadStream } from 'node:fs'
import type { getStreamSegment as call } from '@alcove/contract/media'
import { notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { SegmentFailedError, SegmentLeftError } from '../../platform/media/segment-maker.ts'
import { countSegments } from '../../platform/media/segment-plan.ts'
import { getGranted } from './find-stream.ts'
import { canConvert, notPlayable, readStreams, tooBusy } from './known-streams.ts'

/** A part of a video, made now unless it was made before. It is left when nobody waits for it any more. */
export const getStreamSegment: Operation<typeof call> = async (ctx, { index, ...grant }) => {
  const file = await getGranted(ctx, grant)
  if (!canConvert(ctx)) throw notPlayable()
  const gone = ctx.hangUp()
  const { streams, duration } = await readStreams(ctx, file, gone)
  if (!streams || duration === undefined) throw notPlayable()
  if (index >= countSegments(duration)) throw notFound('segment')
  const blobKey = file.blob_key as string
  const order = { blobKey, streams, duration, index, group: file.owner_id }
  const path = await ctx.segments
    .make(order, (work) => ctx.blobs.withContent(blobKey, work), gone)
    .catch((error: unknown) => {
      if (error instanceof SegmentFailedError) {
        ctx.log.info({ blobKey, index, reason: error.message }, 'a part of a video could not be made')
        throw notPlayable()
      }
      if (error instanceof SegmentLeftError) throw tooBusy()
      throw error
    })
  return { kind: 'stream', filename: `${index}.ts`, mimeType: 'video/mp2t', open: () => createReadStream(path) }
}
