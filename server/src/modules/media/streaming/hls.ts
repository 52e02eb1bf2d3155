import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { calls } from '@alcove/contract/calls'
import type { Context, Services } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import type { BytesResponse } from '../../../platform/http/send-bytes.ts'
import { SegmentFailedError, SegmentLeftError, type SegmentOrder } from '../../../platform/media/segment-maker.ts'
import { orderSegment } from '../../../platform/media/segment-orders.ts'
import { timesOf, type Way, writePlaylist } from '../../../platform/media/segment-plan.ts'
import { getPlan, notPlayable, tooBusy } from './playable-media.ts'
import { getGranted, queryOf } from './stream-url.ts'

/** Each segment's URL is valid for this file only, and as long as the playlist's. */
export const getStreamPlaylist = endpoint(calls.getStreamPlaylist, async (ctx, { way, ...grant }) => {
  const file = await getGranted(ctx, grant)
  const query = new URLSearchParams({ ...queryOf(grant), way })
  return playlistResponse(ctx, { file, way }, (index) => `segments/${index}?${query}`)
})

export const getStreamSegment = endpoint(calls.getStreamSegment, async (ctx, { index, way, ...grant }) => {
  const file = await getGranted(ctx, grant)
  return segmentResponse(ctx, { file, way, index, group: grant.member ?? file.owner_id })
})

interface Asked {
  file: ItemRow
  way: Way
}

/** Returns the playlist of a video or a piece of music. Every segment can be requested by its URL. */
export async function playlistResponse(
  ctx: Context,
  { file, way }: Asked,
  addressOf: (index: number) => string,
): Promise<BytesResponse> {
  const { plan } = await getPlan(ctx, file, way, ctx.abortSignal())
  return textResponse(`${file.name}.m3u8`, 'application/vnd.apple.mpegurl', writePlaylist(plan, addressOf))
}

/** Returns a segment, made now unless it is stored. `group` takes turns with other groups. */
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

/** Returns a response with a part that ffmpeg makes. It is abandoned when nobody waits for it any more. */
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
        ctx.log.info({ blobKey, name, reason: error.message }, 'a media segment could not be made')
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

/** Removes stored segments that are old, too many, or of deleted blobs. */
export async function sweepSegments({ db, segments }: Pick<Services, 'db' | 'segments'>): Promise<void> {
  await segments.store.sweep(Date.now(), async (keys) => {
    if (keys.length === 0) return new Set()
    const there = await db
      .selectFrom('blobs')
      .select('key')
      .where(isAmong(db, 'key', keys))
      .execute()
    return new Set(there.map(({ key }) => key))
  })
}
