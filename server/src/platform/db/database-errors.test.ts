import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findFreePort } from '../../testing/engines/ports.ts'
import { createTestDatabase } from '../../testing/engines/test-app.ts'
import { openDatabase } from './database.ts'
import { describeDatabaseAway } from './database-errors.ts'

const away = {
  code: 'unavailable',
  message: 'The server cannot look anything up just now. Nothing is lost; please try again in a moment.',
  details: { retryAfterSeconds: 2 },
}

const isOnPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('a database that is away', () => {
  it('is told where nobody answers at its address', async () => {
    const databaseUrl = `postgres://somebody@127.0.0.1:${await findFreePort()}/x`
    const db = openDatabase({ databaseUrl, dataDir: '' })
    const failure = await failureOf(sql`select 1`.execute(db))
    await db.destroy()
    expect(describeDatabaseAway(failure)).toMatchObject(away)
  })

  it.runIf(isOnPostgres)(
    'is told to who waits for an answer when it goes, and to who asks in a transaction',
    async () => {
      const database = await createTestDatabase()
      const db = openDatabase({ databaseUrl: database.url, dataDir: '' })
      const { promise: gone, resolve: go } = Promise.withResolvers<void>()
      const waiting = failureOf(sql`select pg_sleep(60)`.execute(db))
      const inTransaction = failureOf(
        db.transaction().execute(async (tx) => {
          await sql`select 1`.execute(tx)
          // One ends after the other: the first is told so while the second may still answer.
          await gone
          await sql`select 1`.execute(tx)
        }),
      )
      // The two of them, and not what PostgreSQL does in this database by itself.
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
    },
  )

  it('is not what other errors are about', () => {
    const taken = Object.assign(new Error('duplicate key value violates unique constraint'), { code: '23505' })
    for (const error of [taken, new TypeError('x is not a function'), 'ECONNREFUSED', undefined]) {
      expect(describeDatabaseAway(error)).toBeUndefined()
    }
  })
})
