import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { type Database, engineOf } from './database.ts'

interface Shared {
  db: Database
  config: Pick<Config, 'databaseUrl'>
}

/**
 * Does work that one of several servers is enough for: the others leave it while it is done. PostgreSQL gives the turn to a
 * connection, so that it ends with a server that dies. SQLite has one server.
 */
export async function withAdvisoryLock(
  { db, config }: Shared,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (engineOf(config) === 'sqlite') {
    await work()
    return
  }
  const key = sql`hashtext(${`alcove ${name}`})`
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${key}) as mine`.execute(connection)
    if (!rows[0]?.mine) return
    try {
      await work()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}
