import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDataDir, openTestServer, type TestServer } from '../../testing/engines/test-app.ts'
import { createTestDatabase } from '../../testing/engines/test-databases.ts'
import { systemClock } from '../clock.ts'
import { blockWrites } from './block-writes.ts'
import { type Database, openDatabase } from './database.ts'

let server: TestServer
let endings: (() => Promise<unknown>)[]
beforeEach(async () => {
  const { config, remove } = await makeDataDir()
  endings = [remove]
  if (process.env.ALCOVE_TEST_DATABASE === 'postgres') {
    const database = await createTestDatabase()
    endings.push(() => database.drop())
    config.databaseUrl = database.url
  }
  server = await openTestServer(config, systemClock)
  endings.push(() => server.stop())
})
afterEach(async () => {
  for (const end of endings.reverse()) await end()
})

const block = () => blockWrites(server.services.config)

/** Uses the database as another process would. */
async function beside<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(server.services.config)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

it('returns undefined while a server has the database open', async () => {
  expect(await block()).toBeUndefined()
})

it('lets others read but not write until the block is released', async () => {
  await server.stop()
  const release = await block()
  expect(release).toBeDefined()
  await beside(async (db) => {
    expect(await db.selectFrom('users').select('id').execute()).toEqual([])
    const write = db.transaction().execute(async (tx) => {
      if (server.services.config.databaseUrl !== undefined) await sql`set local lock_timeout = '50ms'`.execute(tx)
      await tx.deleteFrom('users').execute()
    })
    await expect(write).rejects.toThrow(/lock/)
  })
  await release?.()
  await beside((db) => db.deleteFrom('users').execute())
})
