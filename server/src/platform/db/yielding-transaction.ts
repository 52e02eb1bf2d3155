import { setTimeout as wait } from 'node:timers/promises'
import { PostgresAdapter, sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/**
 * Less than PostgreSQL's deadlock timeout of a second, after which it ends one of two transactions, whichever it happens to be.
 */
const LOCK_TIMEOUT = 200
const GIVE_UP_AFTER = 60_000

/**
 * Runs a transaction that gives way: if another one holds a lock that it needs, it rolls back and starts again. It is for work
 * that can't take its locks in the usual order, so that nothing else fails because of it. SQLite runs one transaction at a
 * time.
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
