import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockDataFolder } from '../platform/data-folder.ts'
import { sqlitePath } from '../platform/db/database.ts'
import { noSettings } from '../testing/clients/operator.ts'
import { createTestApp, type TestApp } from '../testing/engines/test-app.ts'
import { runCommand } from './commands.ts'

const isOnPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

async function compact() {
  const printed: string[] = []
  const errors: string[] = []
  const code = await runCommand(['database', 'compact'], {
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    settings: noSettings,
    withOperator: (work) => {
      const { services } = app
      return work({ services, config: services.config, settingsWith: () => services.config })
    },
  })
  return { code, printed, errors }
}

it.skipIf(isOnPostgres)('rewrites the SQLite file without free space, unless the server runs', async () => {
  const { db, config } = app.services
  await sql`create table filler (bytes blob)`.execute(db)
  await sql`insert into filler values (zeroblob(4194304))`.execute(db)
  await sql`drop table filler`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  const size = async () => (await stat(sqlitePath(config.dataDir))).size
  const before = await size()
  const server = lockDataFolder(config.dataDir)
  expect(await compact()).toEqual({
    code: 1,
    printed: [],
    errors: [expect.stringMatching(/^Another Alcove server is running/)],
  })
  expect(await size()).toBe(before)
  server.release()
  expect(await compact()).toEqual({
    code: 0,
    printed: [expect.stringMatching(/^The database took \S+ MB and takes \S+ [MK]B now\.$/)],
    errors: [],
  })
  expect(await size()).toBeLessThan(before - 4_000_000)
  expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }])
})

it.runIf(isOnPostgres)('says that PostgreSQL needs no such command', async () => {
  expect(await compact()).toEqual({ code: 1, printed: [], errors: [expect.stringMatching(/PostgreSQL/)] })
})
