import { setTimeout as wait } from 'node:timers/promises'
import { PostgresAdapter, sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/** Below PostgreSQL's own patience of a second, after which it ends one of two that wait for each other, and which one is chance. */
const LOCK_TIMEOUT = 200
const GIVE_UP_AFTER = 60_000

/**
 * A transaction that gives way: where another holds what it needs, it lets go of all that it has and begins again. For
 * what cannot take its locks in the order of everything else, so that nothing else ever fails because of it. On SQLite
 * there is one transaction at a time.
 */
export async function yieldingTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return db.transaction().execute(work)
  const start = performance.now()
  for (;;) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - start > GIVE_UP_AFTER) throw error
      await wait(Math.random() * LOCK_TIMEOUT)
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
