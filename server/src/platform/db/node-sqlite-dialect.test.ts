import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'

let dataDir: string
let db: Database
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'alcove-dialect-'))
  db = openDatabase({ databaseUrl: undefined, dataDir })
  await sql`create table shelves (label text, height integer, cover blob)`.execute(db)
  await sql`insert into shelves (label, height) values ('low', 1), ('high', 9)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  await rm(dataDir, { recursive: true })
})

const readAll = async () => (await sql`select * from shelves order by height`.execute(db)).rows

it('returns rows by the names of their columns', async () => {
  expect(await readAll()).toEqual([
    { label: 'low', height: 1, cover: null },
    { label: 'high', height: 9, cover: null },
  ])
  const { rows } = await sql`select label as "top", (select max(height) from shelves) as "label" from shelves`.execute(
    db,
  )
  expect(rows[0]).toEqual({ top: 'low', label: 9 })
})

it('returns bytes', async () => {
  await sql`update shelves set cover = ${Buffer.from([0, 255])}`.execute(db)
  expect(await readAll()).toMatchObject([{ cover: new Uint8Array([0, 255]) }, {}])
})

it('streams rows by the names of their columns', async () => {
  const rows: unknown[] = []
  const shelves = db as unknown as Kysely<{ shelves: { label: string; height: number } }>
  for await (const row of shelves.selectFrom('shelves').selectAll().stream()) rows.push(row)
  expect(rows).toContainEqual({ label: 'high', height: 9, cover: null })
})

it('returns the columns that a table has now, for a statement that ran before it changed', async () => {
  await readAll()
  await sql`alter table shelves rename column label to name`.execute(db)
  expect(await readAll()).toMatchObject([{ name: 'low' }, { name: 'high' }])
  await sql`alter table shelves add column depth integer default 3`.execute(db)
  expect(await readAll()).toMatchObject([{ name: 'low', depth: 3 }, { depth: 3 }])
  await sql`alter table shelves drop column cover`.execute(db)
  expect(await readAll()).toEqual([
    { name: 'low', height: 1, depth: 3 },
    { name: 'high', height: 9, depth: 3 },
  ])
})
