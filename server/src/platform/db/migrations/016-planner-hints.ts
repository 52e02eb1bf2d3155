import { type Kysely, sql } from 'kysely'
import type { Engine } from '../tables.ts'

/**
 * What SQLite's planner is told of the tables, once and for all. Its own statistics would be those of the moment at which
 * they were taken: from a table of a few rows it learns that reading all of it is best, and still believes so when there
 * are a million. Without any it goes by the indexes, as our queries are written for. One thing has to be said: a user may
 * have very many items, so that the index of owners, which is there for deleting an account, is the last to be chosen.
 */
export async function hintPlanner(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'postgres') return
  // This makes the table of statistics where there is none.
  await sql`analyze items_owner`.execute(db)
  await sql`delete from sqlite_stat1`.execute(db)
  await sql`insert into sqlite_stat1 (tbl, idx, stat) values ('items', 'items_owner', '1000000 100000')`.execute(db)
  await sql`analyze sqlite_schema`.execute(db) // has this connection read them anew
}
