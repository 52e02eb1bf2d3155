import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import type { Streams } from '../../../platform/media/media-reader.ts'
import { planSegments, type SegmentPlan, type Way } from '../../../platform/media/segment-plan.ts'
import { findMediaMetadata, type MediaMetadata, readMediaMetadata, streamsOf } from '../media-metadata.ts'

/** Seconds. A file may say that it goes on for a year, and its playlist would name millions of parts. */
const MAX_PLAYED = 24 * 3600

/** What is known of a film or a piece of music that may have to be made playable. */
interface KnownMedia {
  streams: Streams | undefined
  /** Seconds; undefined where it has no length that could be played. */
  duration: number | undefined
}

/** Whether films and music can be made playable here. */
export function canConvert({ segments, mediaReader }: Pick<Services, 'segments' | 'mediaReader'>): boolean {
  return segments.canMake && mediaReader.canProbe
}

/** What a file is made of, as far as that is known already. */
export async function findStreams(services: Services, file: ItemRow): Promise<KnownMedia | undefined> {
  const metadata = await findMediaMetadata(services, file.blob_key as string)
  return metadata?.streams == null ? undefined : present(metadata)
}

/** The same, found out now where that has not been done. */
export async function readStreams(services: Services, file: ItemRow, gone: AbortSignal): Promise<KnownMedia> {
  const known = await findStreams(services, file)
  if (known) return known
  const asker = { group: file.owner_id, signal: gone }
  const metadata = await readMediaMetadata(services, file.blob_key as string, false, asker).catch((error: unknown) => {
    services.log.warn({ err: error }, 'a file of music or video was not read')
    throw tooBusy()
  })
  return present(metadata)
}

/** The ways in which parts of a file can be made, the best first: what need not be encoded is only copied. */
export function waysOf({ streams, duration }: KnownMedia): Way[] {
  if (!streams || duration === undefined) return []
  return (['copy', 'encode'] as const).filter((way) => planSegments(streams, duration, way) !== undefined)
}

/** Where a file is cut to be played in a way, with what it is made of; refused where it cannot be played so. */
export async function getPlan(
  services: Services,
  file: ItemRow,
  way: Way,
  gone: AbortSignal,
): Promise<{ streams: Streams; plan: SegmentPlan }> {
  if (!canConvert(services)) throw notPlayable()
  const { streams, duration } = await readStreams(services, file, gone)
  const plan = streams && duration !== undefined ? planSegments(streams, duration, way) : undefined
  if (!streams || !plan) throw notPlayable()
  return { streams, plan }
}

function present(metadata: MediaMetadata): KnownMedia {
  const streams = streamsOf(metadata)
  const { duration } = metadata
  const isPlayed = duration !== null && duration <= MAX_PLAYED
  return { streams: streams === 'none' ? undefined : streams, duration: isPlayed ? duration : undefined }
}

export function tooBusy(): AppError {
  return new AppError('unavailable', 'The server is busy. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })
}

export function notPlayable(): AppError {
  return new AppError('not_playable', 'This file cannot be played here. It can be downloaded.')
}
