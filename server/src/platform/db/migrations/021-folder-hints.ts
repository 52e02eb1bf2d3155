import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/**
 * What PostgreSQL's planner is told of folders, from its next look at the table on: one has ten items. Counted in a sample, a
 * few folders with very many items each are all there are; it then believes that every folder has as many, and would read the
 * items of all users for what lies in one. How many the largest folders have it knows all the same.
 */
export async function hintFolders(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  await sql`alter table items alter column parent_id set (n_distinct = -0.1)`.execute(db)
}
