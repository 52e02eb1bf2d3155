import { calls } from '@alcove/contract/calls'
import { STREAM_URL_TTL } from '@alcove/contract/limits'
import type { Services } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import type { Streams } from '../../../platform/media/media-reader.ts'
import { orderSheet } from '../../../platform/media/segment-orders.ts'
import {
  countSheets,
  planStoryboard,
  type Storyboard,
  writeStoryboard,
} from '../../../platform/media/storyboard-plan.ts'
import { partResponse, textResponse } from './hls.ts'
import { getPlan, notPlayable } from './playable-media.ts'
import { getGranted, queryOf } from './stream-url.ts'

export const getStoryboard = endpoint(calls.getStoryboard, async (ctx, grant) => {
  const file = await getGranted(ctx, grant)
  const { storyboard } = await findStoryboard(ctx, file, ctx.abortSignal())
  const query = new URLSearchParams(queryOf(grant))
  const text = writeStoryboard(storyboard, (sheet) => `sheets/${sheet}?${query}`)
  return textResponse(`${file.name}.vtt`, 'text/vtt', text)
})

export const getStoryboardSheet = endpoint(calls.getStoryboardSheet, async (ctx, { index, ...grant }) => {
  const file = await getGranted(ctx, grant)
  const gone = ctx.abortSignal()
  const { streams, storyboard } = await findStoryboard(ctx, file, gone)
  if (index >= countSheets(storyboard)) throw notFound('segment')
  // Segments for playback come before preview pictures.
  const group = `sheets of ${grant.member ?? file.owner_id}`
  const order = orderSheet({ blobKey: file.blob_key as string, group, streams, index, storyboard })
  return { ...(await partResponse(ctx, order, 'image/jpeg', gone)), keptFor: STREAM_URL_TTL / 1000 }
})

async function findStoryboard(
  ctx: Services,
  file: ItemRow,
  gone: AbortSignal,
): Promise<{ streams: Streams; storyboard: Storyboard }> {
  const { streams, plan } = await getPlan(ctx, file, 'encode', gone)
  if (!streams.video) throw notPlayable()
  return { streams, storyboard: planStoryboard(plan.duration) }
}
