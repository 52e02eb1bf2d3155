import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeShrinkable } from './compact-database.ts'
import { type Database, openDatabase, sqlitePath } from './database.ts'
import { readPages, shrinkDatabase } from './shrink-database.ts'

const MEBIBYTE = 1024 ** 2
const log = pino({ level: 'silent' })

let config: { databaseUrl: undefined; dataDir: string }
let db: Database

beforeEach(async () => {
  config = { databaseUrl: undefined, dataDir: await mkdtemp(join(tmpdir(), 'alcove-shrink-')) }
  db = openDatabase(config)
})
afterEach(async () => {
  await db.destroy()
  await rm(config.dataDir, { recursive: true })
})

/** Fills the file with 96 MiB and deletes most of it. A row in 24 stays, so that pages at the end of the file have to be moved. */
async function fillAndDelete(): Promise<void> {
  await sql`create table filler (id integer primary key, bytes blob)`.execute(db)
  await sql`insert into filler with recursive n (i) as (select 1 union all select i + 1 from n where i < 24 * 1024)
    select i, randomblob(4000) from n`.execute(db)
  await sql`delete from filler where id % 24 <> 0`.execute(db)
}

const fileSize = async () => (await stat(sqlitePath(config.dataDir))).size

async function expectWhole(): Promise<void> {
  expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }])
  const { rows } = await sql`select count(*) as rows, sum(length(bytes)) as bytes from filler`.execute(db)
  expect(rows).toEqual([{ rows: 1024, bytes: 4000 * 1024 }])
}

describe.skipIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')('shrinking the SQLite file', () => {
  it('returns free pages while others write, keeps some free, and leaves the database whole', async () => {
    await fillAndDelete()
    await sql`create table notes (text)`.execute(db)
    let isShrinking = true
    let longestStep = 0
    async function writeMeanwhile(): Promise<number> {
      let written = 0
      for (let { count } = await readPages(db); isShrinking; written += 1) {
        await sql`insert into notes values (${'x'.repeat(100)})`.execute(db)
        await wait(1)
        const now = await readPages(db)
        longestStep = Math.max(longestStep, count - now.count)
        count = now.count
      }
      return written
    }
    const writing = writeMeanwhile()
    expect(await fileSize()).toBeGreaterThan(90 * MEBIBYTE)
    await shrinkDatabase({ db, config })
    isShrinking = false
    const written = await writing
    // What is in use, and 8 MiB that stay free.
    expect(await fileSize()).toBeLessThan(20 * MEBIBYTE)
    expect((await readPages(db)).free).toBeGreaterThan(1000)
    expect(written).toBeGreaterThan(10)
    // A writer waits for one step: up to 128 pages, and a few that only say where others are.
    expect(longestStep).toBeGreaterThan(16)
    expect(longestStep).toBeLessThan(150)
    expect((await sql`select count(*) as count from notes`.execute(db)).rows).toEqual([{ count: written }])
    await expectWhole()
    const before = await fileSize()
    await shrinkDatabase({ db, config })
    expect(await fileSize()).toBe(before)
  })

  it('stops when the server stops', async () => {
    await fillAndDelete()
    const { free } = await readPages(db)
    await shrinkDatabase({ db, config }, AbortSignal.abort())
    expect((await readPages(db)).free).toBe(free)
  })

  it('leaves a whole database if the server is killed in the middle', async () => {
    await fillAndDelete()
    const before = await fileSize()
    await db.destroy()
    const script = join(config.dataDir, 'shrink.ts')
    const source = `import { openDatabase } from '${join(import.meta.dirname, 'database.ts')}'
      import { shrinkDatabase } from '${join(import.meta.dirname, 'shrink-database.ts')}'
      const config = ${JSON.stringify({ dataDir: config.dataDir })}
      await shrinkDatabase({ db: openDatabase(config), config })`
    await writeFile(script, source)
    const shrinking = spawn(process.execPath, [script], { stdio: 'inherit' })
    const ended = once(shrinking, 'exit')
    await expect.poll(fileSize, { timeout: 20_000, interval: 5 }).toBeLessThan(before)
    shrinking.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    db = openDatabase(config)
    await expectWhole()
    await shrinkDatabase({ db, config })
    expect(await fileSize()).toBeLessThan(20 * MEBIBYTE)
    await expectWhole()
  })

  it('lets a file of an earlier version return free pages after the start of the server', async () => {
    // Earlier versions created the file without this setting.
    new DatabaseSync(sqlitePath(config.dataDir)).exec('pragma journal_mode = wal; create table old (id)')
    await fillAndDelete()
    const before = (await readPages(db)).count
    await shrinkDatabase({ db, config })
    expect((await readPages(db)).count).toBe(before)
    await makeShrinkable({ db, config, log })
    expect((await readPages(db)).mode).toBe(2)
    expect(await fileSize()).toBeLessThan(20 * MEBIBYTE)
    await sql`insert into filler select id + 100000, bytes from filler`.execute(db)
    await sql`delete from filler where id > 100000`.execute(db)
    await expectWhole()
  })
})
