import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { afterEach, beforeEach } from 'vitest'
import type { Config } from '../../config.ts'
import { environmentOf, type Typed, typeCommand } from '../clients/operator.ts'
import { type S3Engine, startS3 } from '../engines/s3-engine.ts'
import { createTestDatabase, makeDataDir, openTestServer, type Place, TestClock } from '../engines/test-app.ts'
import type { TestUser } from './users.ts'

export const isOnPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

let endings: (() => Promise<unknown>)[]
let clock: TestClock
/** The store of the place to move to. */
export let s3: S3Engine
/** One machine with SQLite and a disk, and somebody who has files there. */
export let source: Place
export let user: TestUser
/** The settings of the place to move to, another database and S3, and the file that names them. */
export let target: Config
export let file: string

/** A place to move from and one to move to, for each test. */
export function setUpMoving(): void {
  beforeEach(async () => {
    endings = []
    clock = new TestClock()
    s3 = await startS3()
    endings.push(() => s3.stop())
    source = await open((await makeDirectory()).config)
    user = await source.createUser({ planName: '2 TB Annually' })
    target = { ...(await makeDirectory()).config, databaseUrl: await makeDatabase(), s3: s3.settings }
    file = await writeTarget(target)
  })
  afterEach(async () => {
    for (const end of endings.reverse()) await end()
  })
}

export async function makeDirectory() {
  const made = await makeDataDir()
  endings.push(made.remove)
  return made
}

async function makeDatabase(): Promise<string | undefined> {
  if (!isOnPostgres) return undefined
  const database = await createTestDatabase()
  endings.push(() => database.drop())
  return database.url
}

/** A server, stopped by the end of the test at the latest. */
export async function open(config: Config): Promise<Place> {
  const place = await openTestServer(config, clock)
  endings.push(() => place.stop())
  return place
}

/** Writes the file that an operator names the settings of another place in. */
export async function writeTarget(settings: Config, changes: Record<string, string> = {}): Promise<string> {
  const path = join(settings.dataDir, '..', `target-${randomBytes(4).toString('hex')}.env`)
  endings.push(() => rm(path, { force: true }))
  const lines = Object.entries({ ...environmentOf(settings), ...changes }).map(([name, value]) => `${name}=${value}`)
  await writeFile(path, `# Where we move to\n${lines.join('\n')}\n`)
  return path
}

export function migrate(to = file, from = source.services.config): Promise<Typed> {
  return typeCommand(from, clock, 'migrate-to', to)
}

/** Small files are announced as such, as the web does: they lie together. */
export function store(name: string, content: Buffer<ArrayBuffer> | string) {
  return user.client.upload(name, content, { totalSize: content.length })
}

export async function contentOf(place: Place, filename: string): Promise<Buffer> {
  return (await place.as(user.token).raw(fetchFile, { filename })).bytes
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
