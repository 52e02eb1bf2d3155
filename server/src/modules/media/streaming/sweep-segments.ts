import type { Services } from '../../../context.ts'
import { isAmong } from '../../../platform/db/text-list.ts'

/** Removes parts of videos that were made for playing and are old, too many, or of blobs that have gone. */
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
