import { mimeTypeOf } from '@alcove/contract/file-types'
import type { Item } from '@alcove/contract/items'
import type { Services } from '../../context.ts'
import { isAmong } from '../../platform/db/text-list.ts'

/** Adds to the videos of a list how long they are, where that has been read; one statement, and none without videos. */
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
