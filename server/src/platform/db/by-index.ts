import { PostgresAdapter, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Runs reading queries each of which has an index to run along, and keeps PostgreSQL's planner from reading the whole
 * table instead. It may think that the better way where a table was long and has just been emptied: the pages of the
 * index are still there, and it expects them to be full.
 */
export function byIndex<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return work(db)
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    return work(tx)
  })
}
