import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { Database, Tx } from './database.ts'
import { describeDatabaseAway, isUniqueViolation } from './database-errors.ts'
import { prepareAhead, type Value } from './prepared-query.ts'
import { withHints } from './statement-hints.ts'

const isOnPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

let app: TestApp
let db: Database
beforeAll(async () => {
  app = await createTestApp()
  ;({ db } = app.services)
})
afterAll(() => app.close())
beforeEach(() => db.deleteFrom('blobs').execute())

const insertAhead = prepareAhead((db, value: Value<{ key: string }>) =>
  db.insertInto('blobs').values({ key: value('key'), size: 1, created_at: 1 }),
)
const insertAndReturn = prepareAhead((db, value: Value<{ key: string }>) =>
  db
    .insertInto('blobs')
    .values({ key: value('key'), size: 1, created_at: 1 })
    .returning('key'),
)
const listKeys = async () => (await db.selectFrom('blobs').select('key').orderBy('key').execute()).map(({ key }) => key)

describe('statements that are sent ahead', () => {
  it('run before the next statement, and before the commit', async () => {
    const seen = await db.transaction().execute(async (tx) => {
      await insertAhead(tx, { key: 'a' })
      await insertAhead(tx, { key: 'b' })
      const found = await tx.selectFrom('blobs').select('key').execute()
      await insertAhead(tx, { key: 'c' })
      return found.length
    })
    expect(seen).toBe(2)
    expect(await listKeys()).toEqual(['a', 'b', 'c'])
  })

  it('keep nothing of the transaction if one fails, whatever comes next', async () => {
    const beforeCommit = db.transaction().execute(async (tx) => {
      await insertAhead(tx, { key: 'a' })
      await insertAhead(tx, { key: 'a' })
    })
    await expect(beforeCommit).rejects.toSatisfy(isUniqueViolation)
    const beforeAnother = db.transaction().execute(async (tx) => {
      await insertAhead(tx, { key: 'a' })
      await insertAhead(tx, { key: 'a' })
      await tx.insertInto('blobs').values({ key: 'b', size: 1, created_at: 1 }).execute()
    })
    await expect(beforeAnother).rejects.toSatisfy(isUniqueViolation)
    expect(await listKeys()).toEqual([])
  })

  it('are undone with the savepoint behind which they were', async () => {
    await db.transaction().execute(async (tx) => {
      await insertAhead(tx, { key: 'a' })
      await tx.executeQuery(withHints(CompiledQuery.raw('savepoint inner_part'), 'sentAhead'))
      await insertAhead(tx, { key: 'b' })
      const failing = async () => {
        await insertAhead(tx, { key: 'b' })
        await tx.executeQuery(CompiledQuery.raw('release savepoint inner_part'))
      }
      await expect(failing()).rejects.toSatisfy(isUniqueViolation)
      await tx.executeQuery(CompiledQuery.raw('rollback to savepoint inner_part'))
      await insertAhead(tx, { key: 'c' })
    })
    expect(await listKeys()).toEqual(['a', 'c'])
  })

  it('don’t hide why the transaction was given up, and leave the connection usable', async () => {
    const given = db.transaction().execute(async (tx) => {
      await insertAhead(tx, { key: 'a' })
      await insertAhead(tx, { key: 'a' }).catch(() => {})
      throw new Error('given up')
    })
    await expect(given).rejects.toThrow('given up')
    const times = Array.from({ length: 30 }, (_, index) =>
      db.transaction().execute((tx) => insertAhead(tx, { key: `k${index}` })),
    )
    await Promise.all(times)
    expect(await listKeys()).toHaveLength(30)
  })

  it('are told their rows before the next statement returns, in order', async () => {
    const told: string[] = []
    const tell = (rows: { key: string }[]) => told.push(...rows.map(({ key }) => key))
    await db.transaction().execute(async (tx) => {
      await insertAndReturn(tx, { key: 'a' }, tell)
      await insertAndReturn(tx, { key: 'b' }, tell)
      await tx.selectFrom('blobs').select('key').execute()
      expect(told).toEqual(['a', 'b'])
      await insertAndReturn(tx, { key: 'c' }, tell)
    })
    expect(told).toEqual(['a', 'b', 'c'])
    expect(await listKeys()).toEqual(['a', 'b', 'c'])
  })

  it('keep nothing if their rows are refused, whatever comes next', async () => {
    const refuse = () => {
      throw new Error('refused')
    }
    const steps: Record<string, (tx: Tx) => Promise<unknown>> = {
      'the commit': async () => {},
      'another one': (tx) => tx.insertInto('blobs').values({ key: 'b', size: 1, created_at: 1 }).execute(),
      'another one that fails': (tx) => tx.insertInto('blobs').values({ key: 'a', size: 1, created_at: 1 }).execute(),
      'another one that is sent ahead': (tx) => insertAhead(tx, { key: 'b' }),
      'the release of a savepoint': (tx) => tx.executeQuery(CompiledQuery.raw('release savepoint outer_part')),
    }
    for (const [next, step] of Object.entries(steps)) {
      const refused = db.transaction().execute(async (tx) => {
        await tx.executeQuery(CompiledQuery.raw('savepoint outer_part'))
        await insertAndReturn(tx, { key: 'a' }, refuse)
        await step(tx)
      })
      await expect(refused, next).rejects.toThrow('refused')
      expect(await listKeys(), next).toEqual([])
    }
  })

  it('belong to the transaction with which they begin', async () => {
    const insert = db.insertInto('blobs').values({ key: 'a', size: 1, created_at: 1 }).compile()
    const given = db.transaction().execute(async (tx) => {
      await tx.executeQuery(withHints(insert, 'mayFollowBegin'))
      throw new Error('given up')
    })
    await expect(given).rejects.toThrow('given up')
    expect(await listKeys()).toEqual([])
  })

  it.runIf(isOnPostgres)('leave nothing behind if the connection breaks', async () => {
    const broken = db.transaction().execute(async (tx) => {
      await insertAhead(tx, { key: 'a' })
      await tx.executeQuery(CompiledQuery.raw('select pg_terminate_backend(pg_backend_pid())'))
    })
    await expect(broken).rejects.toSatisfy((error) => describeDatabaseAway(error) !== undefined)
    expect(await listKeys()).toEqual([])
  })
})
