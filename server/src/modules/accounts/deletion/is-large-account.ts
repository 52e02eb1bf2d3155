import { byIndex } from '../../../platform/db/by-index.ts'
import type { Database } from '../../../platform/db/database.ts'

/**
 * So many items are deleted in one transaction: in some 10 ms on SQLite, where nobody else is answered meanwhile, and in
 * some 20 ms on PostgreSQL, which looks for children, links and playlists of each of them.
 */
export const AT_ONCE = 500

/** Whether an account has more in it than can go in one short transaction. Counts no further than it has to. */
export function isLargeAccount(db: Database, userId: string): Promise<boolean> {
  return byIndex(db, async (reading) => {
    // What waits for the search index is a row for each name, and each segment of it thousands.
    const segments = await reading
      .selectFrom('search_segments')
      .select('id')
      .where('owner_id', '=', userId)
      .limit(2)
      .execute()
    if (segments.length > 1) return true
    for (const table of ['items', 'uploads', 'search_pending'] as const) {
      const some = reading
        .selectFrom(table)
        .select('owner_id')
        .where('owner_id', '=', userId)
        .limit(AT_ONCE + 1)
      const { count } = await reading
        .selectFrom(some.as('some'))
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) > AT_ONCE) return true
    }
    return false
  })
}
