import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/**
 * Lets the server rebuild all segments of the search index in the background. Those of earlier versions take twice the space on
 * SQLite, because their bitmaps don't fit into its pages. They work until then, and PostgreSQL doesn't need it.
 */
export async function smallerPostings(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') await sql`update search_segments set is_stale = 1 where state = 'ready'`.execute(db)
}
