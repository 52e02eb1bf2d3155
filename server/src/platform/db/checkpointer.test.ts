import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase, sqlitePath } from './database.ts'

const MEBIBYTE = 1024 * 1024

let dataDir: string
let db: Database
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'alcove-checkpointer-'))
  db = openDatabase({ databaseUrl: undefined, dataDir })
  await sql`create table filling (bytes blob)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  await rm(dataDir, { recursive: true })
})

/** Writes so many MiB, each in a transaction of its own. */
async function write(mebibytes: number): Promise<void> {
  for (let written = 0; written < mebibytes; written++) {
    await sql`insert into filling (bytes) values (${randomBytes(MEBIBYTE)})`.execute(db)
  }
}

const databaseSize = async () => (await stat(sqlitePath(dataDir))).size
/** Returns the pages in the log, whose file never becomes shorter. */
async function logPages(): Promise<number> {
  const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(noop)`.execute(db)
  return rows[0]?.log ?? 0
}

const logSize = async () => (await stat(`${sqlitePath(dataDir)}-wal`)).size

describe('the log of SQLite', () => {
  it('is written back to the database while it is short enough for the connection to leave it', async () => {
    await write(10)
    expect(await databaseSize()).toBeLessThan(MEBIBYTE)
    await write(10)
    await expect.poll(databaseSize).toBeGreaterThan(15 * MEBIBYTE)
    expect(await logSize()).toBeLessThan(64 * MEBIBYTE)
  })

  it('begins anew during writes that never pause', async () => {
    let [longest, now] = [0, 0]
    for (let written = 0; written < 400 && now >= longest; written++) {
      longest = now
      await write(1)
      now = await logPages()
    }
    expect(now).toBeLessThan(longest)
  })

  it('is written back as soon as no reader needs it any more', async () => {
    const reader = new DatabaseSync(sqlitePath(dataDir))
    reader.exec('begin')
    reader.prepare('select count(*) from filling').get()
    await write(20)
    reader.exec('commit')
    reader.close()
    expect(await databaseSize()).toBeLessThan(MEBIBYTE)
    await write(20)
    await expect.poll(databaseSize).toBeGreaterThan(15 * MEBIBYTE)
  })

  it('keeps what is committed while the thread can’t open the database, and is written back later', async () => {
    const path = sqlitePath(dataDir)
    await rename(path, `${path}.away`)
    await mkdir(path)
    await write(50)
    await rmdir(path)
    await rename(`${path}.away`, path)
    expect(await databaseSize()).toBeLessThan(MEBIBYTE)
    await write(20)
    await expect.poll(databaseSize).toBeGreaterThan(45 * MEBIBYTE)
    const { rows } = await sql`select count(*) as count from filling`.execute(db)
    expect(rows).toEqual([{ count: 70 }])
  })

  it('is read by the next connection after the thread has ended', async () => {
    await write(20)
    await db.destroy()
    db = openDatabase({ databaseUrl: undefined, dataDir })
    const { rows } = await sql`select count(*) as count from filling`.execute(db)
    expect(rows).toEqual([{ count: 20 }])
  })
})
