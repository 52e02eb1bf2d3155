import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import type { Services } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { createBlobKey } from '../../platform/blobs/blob-store.ts'
import { type Asker, WorkAbandonedError } from '../../platform/processes/process-pool.ts'
import { WorkProcessDiedError, WorkRefusedError, WorkTimedOutError } from '../../platform/processes/work-process.ts'

/** Thumbnails that are being made, shared by concurrent requests. */
interface Making {
  result: Promise<Thumbnail>
  askers: number
  allGone: AbortController
}

interface Wanted {
  size: ThumbnailSize
  /** Whether the picture is the cover of a piece of music. */
  isMusic: boolean
}

/** Failures by time or memory are retried sooner than damaged files, because more of both may be available later. */
const SHORT_OF_MEANS_TTL = 3_600_000

const inTheMaking = new Map<string, Making>()

/** Makes a thumbnail of a blob once for all concurrent requests. */
export function makeThumbnail(
  services: Services,
  blobKey: string,
  { size, isMusic }: Wanted,
  { group, signal }: Asker,
): Promise<Thumbnail> {
  const name = `${blobKey} ${size}`
  const making = inTheMaking.get(name) ?? start(services, { blobKey, size, isMusic, group }, name)
  making.askers += 1
  const leave = () => {
    making.askers -= 1
    if (making.askers === 0) making.allGone.abort()
  }
  signal?.addEventListener('abort', leave, { once: true })
  return making.result.finally(() => signal?.removeEventListener('abort', leave))
}

interface Order extends Wanted {
  blobKey: string
  group: string
}

function start(services: Services, order: Order, name: string): Making {
  const allGone = new AbortController()
  const result = make(services, order, allGone.signal).finally(() => inTheMaking.delete(name))
  const making = { result, askers: 0, allGone }
  inTheMaking.set(name, making)
  return making
}

async function make(services: Services, order: Order, signal: AbortSignal): Promise<Thumbnail> {
  const { blobs, thumbnails, log } = services
  const { blobKey, size, isMusic, group } = order
  // The thumbnail may have been finished just after the request looked for it.
  const there = await findThumbnail(services, blobKey, size)
  if (there) return there
  try {
    const bytes = await blobs.withContent(blobKey, (content) =>
      thumbnails.make({ content, size, isMusic }, { group, signal }),
    )
    // This machine lacks the program, and may have it later, so nothing is recorded.
    return bytes ? await store(services, order, bytes) : 'none'
  } catch (error) {
    if (error instanceof WorkRefusedError || error instanceof WorkProcessDiedError) {
      log.info({ blobKey, size, reason: error.message }, 'no thumbnail could be made')
      const isForNow = error instanceof WorkProcessDiedError || error instanceof WorkTimedOutError
      await remember(services, order, { thumbnail_key: null, bytes: 0 }, isForNow ? SHORT_OF_MEANS_TTL : FAILURE_TTL)
      return 'none'
    }
    if (error instanceof AppError) throw error
    if (!(error instanceof WorkAbandonedError)) log.warn({ err: error, blobKey }, 'a thumbnail was not made')
    throw new AppError('unavailable', 'The server is busy. Please try again in a moment.', {
      retryAfterSeconds: 2,
    })
  }
}

/** Stores the bytes before the row, as everywhere. */
async function store(services: Services, order: Order, content: Uint8Array): Promise<Thumbnail> {
  const key = createBlobKey()
  const bytes = content.length
  await services.blobs.writeWhole(key, content)
  if (await remember(services, order, { thumbnail_key: key, bytes })) return { key, bytes }
  // Another server was faster, or the blob has been deleted in the meantime.
  await services.blobs.remove(key)
  const other = await findThumbnail(services, order.blobKey, order.size)
  if (!other) throw notFound('file')
  return other
}

/**
 * Records a thumbnail or a failure, which is valid for `ttl`. Returns false if there is one already or the blob is
 * gone.
 */
async function remember(
  { db, clock }: Services,
  { blobKey, size }: Order,
  thumbnail: { thumbnail_key: string | null; bytes: number },
  ttl = FAILURE_TTL,
): Promise<boolean> {
  const made = { ...thumbnail, made_at: clock.now() - FAILURE_TTL + ttl }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('thumbnails')
    .columns(['blob_key', 'size', 'thumbnail_key', 'bytes', 'made_at'])
    .expression((eb) =>
      eb
        .selectFrom('blobs')
        .select(({ val, cast }) => [
          'key',
          cast<number>(val(size), 'integer').as('size'),
          cast<string | null>(val(made.thumbnail_key), 'text').as('thumbnail_key'),
          cast<number>(val(made.bytes), 'bigint').as('bytes'),
          cast<number>(val(made.made_at), 'bigint').as('made_at'),
        ])
        .where('key', '=', blobKey),
    )
    .onConflict((conflict) =>
      conflict.columns(['blob_key', 'size']).doUpdateSet(made).where('thumbnails.thumbnail_key', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** A stored thumbnail: its key and size. 'none' if it can't be made. */
type Thumbnail = { key: string; bytes: number } | 'none'

/** How long a failure is remembered. A newer server may succeed later. */
const FAILURE_TTL = 7 * 24 * 3_600_000

/** Returns the thumbnail of a blob, or undefined if it hasn't been tried recently. */
export async function findThumbnail(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  blobKey: string,
  size: ThumbnailSize,
): Promise<Thumbnail | undefined> {
  const made = await db
    .selectFrom('thumbnails')
    .select(['size', 'thumbnail_key', 'bytes', 'made_at'])
    .where('blob_key', '=', blobKey)
    .execute()
  const there = made.find((one) => one.size === size)
  if (there?.thumbnail_key) return { key: there.thumbnail_key, bytes: there.bytes }
  // A picture that can't be drawn in one size can't be drawn in another.
  const hasFailed = made.some((one) => one.thumbnail_key === null && one.made_at > clock.now() - FAILURE_TTL)
  return hasFailed ? 'none' : undefined
}
