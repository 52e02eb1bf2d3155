import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Streams } from '../../platform/media/media-reader.ts'
import { findMediaFacts, readMediaFacts } from '../../tree/media-facts.ts'

/** Seconds. A file may say that it goes on for a year, and its playlist would name millions of parts. */
const MAX_PLAYED = 24 * 3600

interface KnownVideo {
  streams: Streams | undefined
  /** Seconds; undefined where it has no length that could be played. */
  duration: number | undefined
}

/** Whether videos can be made playable here. */
export function canConvert({ segments, mediaReader }: Pick<Services, 'segments' | 'mediaReader'>): boolean {
  return segments.canMake && mediaReader.canProbe
}

/** What a video is made of, as far as that is known already. */
export async function findStreams(services: Services, file: ItemRow): Promise<KnownVideo | undefined> {
  const facts = await findMediaFacts(services, file.blob_key as string)
  return facts?.streams == null ? undefined : present(facts)
}

/** The same, found out now where that has not been done. */
export async function readStreams(services: Services, file: ItemRow, gone: AbortSignal): Promise<KnownVideo> {
  const known = await findStreams(services, file)
  if (known) return known
  const asker = { group: file.owner_id, signal: gone }
  const facts = await readMediaFacts(services, file.blob_key as string, asker).catch((error: unknown) => {
    services.log.warn({ err: error }, 'a video was not read')
    throw tooBusy()
  })
  return present(facts)
}

function present({ streams, duration }: { streams: string | null; duration: number | null }): KnownVideo {
  const read = streams === null ? 'none' : (JSON.parse(streams) as Streams | 'none')
  const isPlayed = duration !== null && duration <= MAX_PLAYED
  return { streams: read === 'none' ? undefined : read, duration: isPlayed ? duration : undefined }
}

export function tooBusy(): AppError {
  return new AppError('unavailable', 'There is too much to do just now. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })
}

export function notPlayable(): AppError {
  return new AppError('not_playable', 'This video cannot be played here. It can be downloaded.')
}
