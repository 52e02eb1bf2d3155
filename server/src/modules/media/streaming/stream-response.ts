import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import type { BytesResponse } from '../../../platform/http/bytes-response.ts'
import { SegmentFailedError, SegmentLeftError, type SegmentOrder } from '../../../platform/media/segment-maker.ts'
import { orderSegment } from '../../../platform/media/segment-orders.ts'
import { timesOf, type Way, writePlaylist } from '../../../platform/media/segment-plan.ts'
import { getPlan, notPlayable, tooBusy } from './playable-media.ts'

interface Asked {
  file: ItemRow
  way: Way
}

/** The playlist of a film or a piece of music, of which every part can be had under its address. */
export async function playlistResponse(
  ctx: Context,
  { file, way }: Asked,
  addressOf: (index: number) => string,
): Promise<BytesResponse> {
  const { plan } = await getPlan(ctx, file, way, ctx.abortSignal())
  return textResponse(`${file.name}.m3u8`, 'application/vnd.apple.mpegurl', writePlaylist(plan, addressOf))
}

/** One part of it, made now unless it was made before. `group` takes turns with the others who ask. */
export async function segmentResponse(
  ctx: Context,
  { file, way, index, group }: Asked & { index: number; group: string },
): Promise<BytesResponse> {
  const gone = ctx.abortSignal()
  const { streams, plan } = await getPlan(ctx, file, way, gone)
  const times = timesOf(plan, index)
  if (!times) throw notFound('segment')
  const order = orderSegment({ blobKey: file.blob_key as string, group, streams, index, way, times })
  return partResponse(ctx, order, 'video/mp2t', gone)
}

/** A part that is made by ffmpeg. It is left when nobody waits for it any more. */
export async function partResponse(
  ctx: Context,
  order: SegmentOrder,
  mimeType: string,
  gone: AbortSignal,
): Promise<BytesResponse> {
  const { blobKey, name } = order
  const path = await ctx.segments
    .make(order, (work) => ctx.blobs.withContent(blobKey, work), gone)
    .catch((error: unknown) => {
      if (error instanceof SegmentFailedError) {
        ctx.log.info({ blobKey, name, reason: error.message }, 'a part of a film or of music could not be made')
        throw notPlayable()
      }
      if (error instanceof SegmentLeftError) throw tooBusy()
      throw error
    })
  return { kind: 'stream', filename: name, mimeType, open: () => createReadStream(path) }
}

export function textResponse(filename: string, mimeType: string, text: string): BytesResponse {
  return { kind: 'stream', filename, mimeType, open: () => Readable.from([Buffer.from(text)]) }
}
