import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeSharedFolder } from '@alcove/contract/members'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { copyMigratedDatabase, copyMigratedSqlite } from '../../testing/engines/test-databases.ts'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { compareRows } from '../moving/move-in.ts'
import { linesOf } from './save-everything.ts'
import { dumpTables, loadTables, NAMED_BLOBS } from './table-files.ts'

setUpDrive()

const isOnPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

let folder: string
/** An empty database with all tables. */
let db: Database
let cleanups: (() => Promise<unknown>)[]
beforeEach(async () => {
  cleanups = []
  folder = await mkdtemp(join(tmpdir(), 'alcove-tables-'))
  cleanups.push(() => rm(folder, { recursive: true }))
  const opened = openDatabase({ dataDir: folder, databaseUrl: await makeDatabase() })
  cleanups.push(() => opened.destroy())
  db = opened
})
afterEach(async () => {
  for (const clean of cleanups.reverse()) await clean()
})

async function makeDatabase(): Promise<string | undefined> {
  if (!isOnPostgres) {
    await copyMigratedSqlite(folder)
    return undefined
  }
  const database = await copyMigratedDatabase()
  cleanups.push(() => database.drop())
  return database.url
}

/** Saves the tables of a drive whose items refer to each other and to members. */
async function saveTables(): Promise<{ name: keyof Tables; path: string }[]> {
  const shared = await makeFolder('Shared')
  await user.client.upload('a.txt', 'hello', { folderId: shared.id })
  const member = await addTestMember(app, user, shared.id, 'editor')
  expect((await member.client.call(placeSharedFolder, { memberId: member.memberId })).status).toBe(200)
  const { tables } = await dumpTables({ ...app.services, tell: () => {} }, folder)
  return tables.map(({ name }) => ({ name, path: linesOf(folder, name === 'blobs' ? NAMED_BLOBS : name) }))
}

async function readReferences() {
  const { rows } = await sql`
    select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition, convalidated
    from pg_constraint where contype = 'f' order by 1, 2`.execute(db)
  return rows
}

it('loads rows before the rows that they refer to', async () => {
  const tables = await saveTables()
  const [users, ...others] = tables
  expect(users?.name).toBe('users')
  // The triggers of items read users.
  const order = [...tables.slice(0, 1), ...others.toReversed()]
  await db.transaction().execute(async (tx) => {
    await loadTables(tx, order)
    await compareRows(tx, tables)
  })
})

it('rejects rows that refer to missing ones', async () => {
  const tables = await saveTables()
  const withoutMembers = tables.filter(({ name }) => name !== 'members')
  await expect(db.transaction().execute((tx) => loadTables(tx, withoutMembers))).rejects.toThrow(/foreign key/i)
  expect(await db.selectFrom('users').select('id').execute()).toEqual([])
})

it.runIf(isOnPostgres)('leaves all references as they were, whether it succeeds or fails', async () => {
  const tables = await saveTables()
  await sql`alter table leases add constraint unusual foreign key (holder) references users (id)
    match full on update cascade on delete set default deferrable initially deferred not valid`.execute(db)
  const before = await readReferences()
  expect(before).toContainEqual(expect.objectContaining({ conname: 'unusual', convalidated: false }))
  const missing = { name: 'jobs', path: join(folder, 'missing') }
  await expect(db.transaction().execute((tx) => loadTables(tx, [...tables, missing]))).rejects.toThrow('ENOENT')
  expect(await readReferences()).toEqual(before)
  await db.transaction().execute((tx) => loadTables(tx, tables))
  expect(await readReferences()).toEqual(before)
})
