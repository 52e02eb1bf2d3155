import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { engineOf, migrate, openDatabase, sqlitePath } from '../../platform/db/database.ts'

// Running all migrations takes longer than most tests, so each test run does it once and every app gets a copy of the result.

/** PostgreSQL's own template. */
const EMPTY = 'template1'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Creates an empty database on the PostgreSQL server that the test run has started. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await create(serverUrl(), EMPTY)
}

/** Creates a database that has all tables, or none if the run has not called `createMigratedDatabase`. */
export async function copyMigratedDatabase(): Promise<TestDatabase> {
  return await create(serverUrl(), process.env.ALCOVE_TEST_POSTGRES_TEMPLATE ?? EMPTY)
}

/** Creates the database that `copyMigratedDatabase` copies, and lets it know its name. */
export async function createMigratedDatabase(server: string): Promise<TestDatabase> {
  const database = await create(server, EMPTY)
  await migrateTables({ databaseUrl: database.url, dataDir: '' })
  process.env.ALCOVE_TEST_POSTGRES_TEMPLATE = new URL(database.url).pathname.slice(1)
  return database
}

let migrated: Promise<Buffer> | undefined

/** Puts an SQLite database with all tables into a data directory. */
export async function copyMigratedSqlite(dataDir: string): Promise<void> {
  migrated ??= readMigratedSqlite()
  await writeFile(sqlitePath(dataDir), await migrated, { flag: 'wx' })
}

async function readMigratedSqlite(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-migrated-'))
  try {
    await migrateTables({ databaseUrl: undefined, dataDir })
    return await readFile(sqlitePath(dataDir))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function migrateTables(settings: { databaseUrl: string | undefined; dataDir: string }): Promise<void> {
  const db = openDatabase(settings)
  try {
    await migrate(db, engineOf(settings))
  } finally {
    await db.destroy()
  }
}

function serverUrl(): string {
  const url = process.env.ALCOVE_TEST_POSTGRES_URL
  if (!url) throw new Error('ALCOVE_TEST_POSTGRES_URL is not set: the test run starts the server')
  return url
}

async function create(server: string, template: string): Promise<TestDatabase> {
  const name = `alcove_${randomUUID().replaceAll('-', '')}`
  // Copying the files takes less work than writing them to the log too, which is the default.
  await execute(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => execute(server, `drop database ${name} with (force)`) }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
