import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { type Database, engineOf } from './database.ts'

interface Shared {
  db: Database
  config: Pick<Config, 'databaseUrl'>
}

/**
 * Runs work that only one of several servers has to do: the others skip it meanwhile. On PostgreSQL the lock belongs to a
 * connection, so it is released when the server dies. With SQLite there is only one server.
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
