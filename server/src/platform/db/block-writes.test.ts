import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, makeDataDir, openTestServer, type Place } from '../../testing/engines/test-app.ts'
import { systemClock } from '../clock.ts'
import { blockWrites } from './block-writes.ts'
import { type Database, openDatabase } from './database.ts'

let server: Place
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

const hold = () => blockWrites(server.services.config)

/** Works on the database as another process would. */
async function beside<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(server.services.config)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

it('holds nothing while a server has the database open, whatever it does', async () => {
  expect(await hold()).toBeUndefined()
})

it('lets others read and not write, nor hold it too, until it lets go', async () => {
  await server.stop()
  const release = await hold()
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
