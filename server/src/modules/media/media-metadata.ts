import { mimeTypeOf } from '@alcove/contract/file-types'
import type { Item } from '@alcove/contract/items'
import type { Selectable } from 'kysely'
import type { Services } from '../../context.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { MediaMetadataTable } from '../../platform/db/tables.ts'
import type { MediaReading, Streams } from '../../platform/media/media-reader.ts'
import { paysToCut } from '../../platform/media/segment-plan.ts'
import type { Asker } from '../../platform/processes/process-pool.ts'
import { WorkProcessDiedError, WorkRefusedError } from '../../platform/processes/work-process.ts'

export type MediaMetadata = Omit<Selectable<MediaMetadataTable>, 'blob_key' | 'read_at'>

const NOTHING: MediaReading = {
  title: null,
  artist: null,
  album: null,
  track: null,
  duration: null,
  hasCover: false,
  streams: 'none',
}

/** Returns the metadata of a blob, or undefined if they haven't been read. */
export async function findMediaMetadata(
  { db }: Pick<Services, 'db'>,
  blobKey: string,
): Promise<MediaMetadata | undefined> {
  return db
    .selectFrom('media_facts')
    .select(['title', 'artist', 'album', 'track', 'duration', 'has_cover', 'streams'])
    .where('blob_key', '=', blobKey)
    .executeTakeFirst()
}

/** The streams of a media file, 'none' if it has none, or undefined if unknown. */
export function streamsOf({ streams }: Pick<MediaMetadata, 'streams'>): Streams | 'none' | undefined {
  return streams === null ? undefined : (JSON.parse(streams) as Streams | 'none')
}

/** Whether reading included the key frames for cutting. Requests that wait for a video skip them. */
export function isReadThoroughly(metadata: MediaMetadata): boolean {
  const streams = streamsOf(metadata)
  return streams === undefined || streams === 'none' || streams.cuts !== undefined || !paysToCut(streams)
}

/**
 * Reads the metadata of a blob and stores them. A file without metadata is recorded too, so that it isn't read again.
 */
export async function readMediaMetadata(
  services: Services,
  blobKey: string,
  isThorough: boolean,
  asker: Asker,
): Promise<MediaMetadata> {
  const { blobs, mediaReader, log } = services
  const reading = await blobs
    .withContent(blobKey, (content) => mediaReader.read(content, isThorough, asker))
    .catch((error: unknown) => {
      if (!(error instanceof WorkRefusedError || error instanceof WorkProcessDiedError)) throw error
      log.info({ blobKey, reason: error.message }, 'the metadata of a media file could not be read')
      return NOTHING
    })
  const { hasCover, streams, ...tags } = reading
  const metadata = {
    ...tags,
    has_cover: hasCover ? 1 : 0,
    streams: streams === undefined ? null : JSON.stringify(streams),
  }
  await note(services, blobKey, metadata)
  return metadata
}

/** Stores nothing if the blob has been deleted in the meantime. */
async function note({ db, clock }: Services, blobKey: string, metadata: MediaMetadata): Promise<void> {
  const row = { ...metadata, read_at: clock.now() }
  await db
    .insertInto('media_facts')
    .columns(['blob_key', 'title', 'artist', 'album', 'track', 'duration', 'has_cover', 'streams', 'read_at'])
    .expression((eb) =>
      eb
        .selectFrom('blobs')
        .select(({ val, cast }) => [
          'key',
          cast<string | null>(val(row.title), 'text').as('title'),
          cast<string | null>(val(row.artist), 'text').as('artist'),
          cast<string | null>(val(row.album), 'text').as('album'),
          cast<number | null>(val(row.track), 'integer').as('track'),
          cast<number | null>(val(row.duration), 'double precision').as('duration'),
          cast<number>(val(row.has_cover), 'integer').as('has_cover'),
          cast<string | null>(val(row.streams), 'text').as('streams'),
          cast<number>(val(row.read_at), 'bigint').as('read_at'),
        ])
        .where('key', '=', blobKey),
    )
    .onConflict((conflict) => conflict.column('blob_key').doUpdateSet(row))
    .execute()
}

/** Adds the duration to the videos of a list, if known. One statement, and none without videos. */
export async function withDurations<I extends Item>({ db }: Pick<Services, 'db'>, items: I[]): Promise<I[]> {
  const videos = items.filter(
    (item) => item.type === 'file' && !item.isEncrypted && mimeTypeOf(item.name).startsWith('video/'),
  )
  if (videos.length === 0) return items
  const ids = videos.map(({ id }) => id)
  const rows = await db
    .selectFrom('items')
    .innerJoin('media_facts', 'media_facts.blob_key', 'items.blob_key')
    .select(['items.id', 'media_facts.duration'])
    .where(isAmong(db, 'items.id', ids))
    .where('media_facts.duration', 'is not', null)
    .execute()
  const durations = new Map(rows.map(({ id, duration }) => [id, duration as number]))
  return items.map((item) => {
    const duration = durations.get(item.id)
    return duration === undefined ? item : { ...item, duration }
  })
}
