import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import type { Services } from '../../context.ts'

/** A thumbnail that is there: where its bytes lie, and how many. 'none': it has been tried, and cannot be made. */
export type Thumbnail = { key: string; bytes: number } | 'none'

/** A file of which no thumbnail could be made is left alone for so long: by then a newer server may know better. */
export const FAILURE_TTL = 7 * 24 * 3_600_000

/** What is known of a blob's thumbnail; undefined where it has not been tried, or not lately. */
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
  // What cannot be drawn in one size cannot in another.
  const hasFailed = made.some((one) => one.thumbnail_key === null && one.made_at > clock.now() - FAILURE_TTL)
  return hasFailed ? 'none' : undefined
}
