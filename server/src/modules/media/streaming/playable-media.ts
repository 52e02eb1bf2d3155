import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import type { Streams } from '../../../platform/media/media-reader.ts'
import { planSegments, type SegmentPlan, type Way } from '../../../platform/media/segment-plan.ts'
import { findMediaMetadata, type MediaMetadata, readMediaMetadata, streamsOf } from '../media-metadata.ts'

/** Seconds. A file may claim to last a year, and its playlist would list millions of segments. */
const MAX_PLAYED = 24 * 3600

/** What is known about a media file that may have to be converted. */
interface KnownMedia {
  streams: Streams | undefined
  /** Seconds, or undefined if it has no usable duration. */
  duration: number | undefined
}

/** Returns whether this server can convert media. */
export function canConvert({ segments, mediaReader }: Pick<Services, 'segments' | 'mediaReader'>): boolean {
  return segments.canMake && mediaReader.canProbe
}

/** Returns the streams of a file if they are known. */
export async function findStreams(services: Services, file: ItemRow): Promise<KnownMedia | undefined> {
  const metadata = await findMediaMetadata(services, file.blob_key as string)
  return metadata?.streams == null ? undefined : present(metadata)
}

/** Returns the streams of a file, and reads them now if necessary. */
export async function readStreams(services: Services, file: ItemRow, gone: AbortSignal): Promise<KnownMedia> {
  const known = await findStreams(services, file)
  if (known) return known
  const asker = { group: file.owner_id, signal: gone }
  const metadata = await readMediaMetadata(services, file.blob_key as string, false, asker).catch((error: unknown) => {
    services.log.warn({ err: error }, 'the metadata of a media file was not read')
    throw tooBusy()
  })
  return present(metadata)
}

/** Returns how segments can be made, best first: remuxing comes before transcoding. */
export function waysOf({ streams, duration }: KnownMedia): Way[] {
  if (!streams || duration === undefined) return []
  return (['copy', 'encode'] as const).filter((way) => planSegments(streams, duration, way) !== undefined)
}

/** Returns the segment plan and streams of a file. Throws if the file can't be played this way. */
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
  return new AppError('not_playable', 'This file cannot be played here. Download it to play it in another program.')
}
