import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { afterEach, beforeEach } from 'vitest'
import type { Config } from '../../config.ts'
import { type CommandResult, environmentOf, runTestCommand } from '../clients/operator.ts'
import { type S3Engine, startS3 } from '../engines/s3-engine.ts'
import { makeDataDir, openTestServer, TestClock, type TestServer } from '../engines/test-app.ts'
import { createTestDatabase } from '../engines/test-databases.ts'
import type { TestUser } from './users.ts'

export const isOnPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

let cleanups: (() => Promise<unknown>)[]
let clock: TestClock
/** The store of the target. */
export let s3: S3Engine
/** A server with SQLite and a disk, and its user. */
export let source: TestServer
export let user: TestUser
/** The settings of the target, with another database and S3, and the file with these settings. */
export let target: Config
export let file: string

/** Sets up a source and a target for each test. */
export function setUpMoving(): void {
  beforeEach(async () => {
    cleanups = []
    clock = new TestClock()
    s3 = await startS3()
    cleanups.push(() => s3.stop())
    source = await open((await makeDirectory()).config)
    user = await source.createUser({ planName: '2 TB Annually' })
    target = { ...(await makeDirectory()).config, databaseUrl: await makeDatabase(), s3: s3.settings }
    file = await writeTarget(target)
  })
  afterEach(async () => {
    for (const clean of cleanups.reverse()) await clean()
  })
}

export async function makeDirectory() {
  const made = await makeDataDir()
  cleanups.push(made.remove)
  return made
}

async function makeDatabase(): Promise<string | undefined> {
  if (!isOnPostgres) return undefined
  const database = await createTestDatabase()
  cleanups.push(() => database.drop())
  return database.url
}

/** Opens a server, which is stopped at the end of the test at the latest. */
export async function open(config: Config): Promise<TestServer> {
  const server = await openTestServer(config, clock)
  cleanups.push(() => server.stop())
  return server
}

/** Writes a target file, with which an operator names the settings of the target. */
export async function writeTarget(settings: Config, changes: Record<string, string> = {}): Promise<string> {
  const path = join(settings.dataDir, '..', `target-${randomBytes(4).toString('hex')}.env`)
  cleanups.push(() => rm(path, { force: true }))
  const lines = Object.entries({ ...environmentOf(settings), ...changes }).map(([name, value]) => `${name}=${value}`)
  await writeFile(path, `# The target\n${lines.join('\n')}\n`)
  return path
}

export function migrate(to = file, from = source.services.config): Promise<CommandResult> {
  return runTestCommand(from, clock, 'migrate-to', to)
}

/** Announces the total size, as the web does, so that small files are stored together. */
export function store(name: string, content: Buffer<ArrayBuffer> | string, fields: Record<string, string> = {}) {
  return user.client.upload(name, content, { totalSize: content.length, ...fields })
}

export async function contentOf(server: TestServer, filename: string): Promise<Buffer> {
  return (await server.as(user.token).raw(fetchFile, { filename })).bytes
}

export async function keyOf(fileId: string): Promise<string> {
  const { db } = source.services
  const { blob_key } = await db
    .selectFrom('items')
    .select('blob_key')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  return blob_key as string
}
