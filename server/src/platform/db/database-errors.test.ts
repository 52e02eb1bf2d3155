import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findFreePort } from '../../testing/engines/ports.ts'
import { createTestDatabase } from '../../testing/engines/test-databases.ts'
import { openDatabase } from './database.ts'
import { describeDatabaseAway } from './database-errors.ts'

const away = {
  code: 'unavailable',
  message: 'The database is not responding. Nothing is lost. Please try again in a moment.',
  details: { retryAfterSeconds: 2 },
}

const isOnPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('describing an unreachable database', () => {
  it('recognizes that nothing listens at its address', async () => {
    const databaseUrl = `postgres://somebody@127.0.0.1:${await findFreePort()}/x`
    const db = openDatabase({ databaseUrl, dataDir: '' })
    const failure = await failureOf(sql`select 1`.execute(db))
    await db.destroy()
    expect(describeDatabaseAway(failure)).toMatchObject(away)
  })

  it.runIf(isOnPostgres)('recognizes a connection that is lost during a query or a transaction', async () => {
    const database = await createTestDatabase()
    const db = openDatabase({ databaseUrl: database.url, dataDir: '' })
    const { promise: gone, resolve: go } = Promise.withResolvers<void>()
    const waiting = failureOf(sql`select pg_sleep(60)`.execute(db))
    const inTransaction = failureOf(
      db.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx)
        // The connections end one after the other: when the first has failed, the second might still respond.
        await gone
        await sql`select 1`.execute(tx)
      }),
    )
    // Selects the two connections, but no background work of PostgreSQL.
    const ours = sql`from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and (query like 'select pg_sleep%' and state = 'active' or query = 'select 1' and state = 'idle in transaction')`
    await expect
      .poll(async () => (await sql<{ count: number }>`select count(*)::int as count ${ours}`.execute(db)).rows)
      .toEqual([{ count: 2 }])
    await sql`select pg_terminate_backend(pid) ${ours}`.execute(db)
    go()
    expect(describeDatabaseAway(await waiting)).toMatchObject(away)
    expect(describeDatabaseAway(await inTransaction)).toMatchObject(away)
    await db.destroy()
    await database.drop()
  })

  it('returns undefined for other errors', () => {
    const taken = Object.assign(new Error('duplicate key value violates unique constraint'), { code: '23505' })
    for (const error of [taken, new TypeError('x is not a function'), 'ECONNREFUSED', undefined]) {
      expect(describeDatabaseAway(error)).toBeUndefined()
    }
  })
})
