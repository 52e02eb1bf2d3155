import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { trashFile } from '@alcove/contract/files'
import { deleteFile } from '@alcove/contract/trash'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Services } from '../../context.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { changeBlob } from '../../testing/factories/stored-blob.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { readStatistics } from '../admin/metrics-endpoint.ts'
import { digestBlobs } from './digest-blobs.ts'
import { scrubBlobs } from './scrub-blobs.ts'

const HOUR = 3_600_000
const never = new AbortController().signal

let app: TestApp
let user: TestUser
let logged: Record<string, unknown>[]
/** The keys of the blobs that were read, in order. */
let read: string[]
/** Called before a blob is read. */
let onRead: (key: string) => Promise<void>
let services: Services

beforeEach(async () => {
  app = await createTestApp()
  user = await app.createUser({ planName: '2 TB Annually' })
  logged = []
  read = []
  onRead = async () => {}
  services = watched(app.services)
  moveToNight()
})
afterEach(() => app.close())

/** Wraps the services and records what is read and logged. */
function watched(of: Services): Services {
  const blobs = new Proxy(of.blobs, {
    get(store, name: keyof BlobStore) {
      if (name !== 'sizeOf') return (store[name] as () => unknown).bind(store)
      return async (key: string) => {
        read.push(key)
        await onRead(key)
        return store.sizeOf(key)
      }
    },
  })
  const lines = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)))
      done()
    },
  })
  return { ...of, blobs, log: pino(lines) }
}

/** Moves the clock to 2:00 of the next night, local time. */
function moveToNight(): void {
  const next = new Date(app.clock.now() + 24 * HOUR)
  next.setHours(2, 0, 0, 0)
  app.clock.advance(next.getTime() - app.clock.now())
}

async function store(size: number): Promise<{ id: string; key: string }> {
  const { id } = await user.client.upload(
    crypto.randomUUID(),
    randomBytes(size),
    size > 64_000 ? {} : { totalSize: size },
  )
  const { blob_key } = await services.db
    .selectFrom('items')
    .select('blob_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, key: blob_key as string }
}

/** Runs the scheduled scrub for a number of nights. */
async function scrubNights(nights: number): Promise<void> {
  for (let night = 0; night < nights; night++) {
    await scrubBlobs(services, never)
    moveToNight()
  }
}

const faults = () => logged.filter(({ msg }) => msg === 'a blob is missing or damaged')
const damagedKeys = async () =>
  (
    await services.db.selectFrom('blobs').select('key').where('damaged_at', 'is not', null).orderBy('key').execute()
  ).map(({ key }) => key)

it('reads all blobs within thirty nights, a share each night', async () => {
  const stored: string[] = []
  for (let index = 0; index < 24; index++) stored.push((await store(index % 12 === 0 ? 140_000 : 500)).key)
  await digestBlobs(services, never)
  const shares: number[] = []
  const seen = new Set<string>()
  for (let night = 0; night < 30; night++) {
    read = []
    await scrubNights(1)
    shares.push(read.length)
    for (const key of read) seen.add(key)
  }
  expect([...seen].sort()).toEqual([...stored].sort())
  expect(Math.max(...shares)).toBeLessThanOrEqual(3)
  expect(faults()).toEqual([])
  expect((await readStatistics(services.db)).lastScrub).toBeGreaterThan(0)
})

it('records and logs flipped bytes, missing bytes and wrong sizes once', async () => {
  await store(300)
  const [flipped, gone, short, small] = [await store(160_000), await store(300), await store(300), await store(300)]
  await digestBlobs(services, never)
  const flip = (content: Buffer) => content.fill((content[200] as number) ^ 1, 200, 201)
  await changeBlob(app.services.blobs, flipped.key, flip)
  await changeBlob(app.services.blobs, small.key, flip)
  await changeBlob(app.services.blobs, short.key, (content) => content.subarray(1))
  await app.services.blobs.remove(gone.key)
  await scrubNights(6)
  expect(await damagedKeys()).toEqual([flipped.key, gone.key, short.key, small.key].sort())
  expect(
    faults()
      .map(({ blob, fault }) => [blob, fault])
      .sort(),
  ).toEqual(
    [
      [flipped.key, 'its bytes are not those that were stored'],
      [gone.key, 'its bytes are missing'],
      [short.key, 'it has 299 bytes instead of 300'],
      [small.key, 'its bytes are not those that were stored'],
    ].sort(),
  )
  expect(JSON.stringify(logged)).not.toContain(user.id)
  expect((await readStatistics(services.db)).damagedBlobs).toBe(4)

  // A repaired blob is found intact in the next night, even if it isn't part of that night's share.
  await changeBlob(app.services.blobs, flipped.key, flip)
  await scrubNights(1)
  expect(await damagedKeys()).toEqual([gone.key, short.key, small.key].sort())
})

it('logs a limited number of damaged blobs by key, and their total each night', async () => {
  for (let index = 0; index < 25; index++) await app.services.blobs.remove((await store(300)).key)
  await scrubNights(1)
  await services.db.updateTable('scrub').set({ bytes_left: 1e9 }).execute()
  await scrubNights(1)
  expect(faults().length).toBeLessThan(25)
  const summary = 'stored bytes are missing or damaged; run verify to see whose files they belong to'
  expect(logged.filter(({ msg }) => msg === summary).map(({ damaged }) => damaged)).toEqual([1, 25])
})

it('does not report a blob that is deleted while it is read', async () => {
  const { id, key } = await store(160_000)
  await digestBlobs(services, never)
  // Deletes the file after its row was read and before its bytes are read.
  onRead = async (of) => {
    if (of !== key) return
    await user.client.call(trashFile, { id })
    await user.client.call(deleteFile, { id })
    await app.services.jobs.runDue()
  }
  await scrubBlobs(services, never)
  expect(await services.db.selectFrom('blobs').select('key').where('key', '=', key).execute()).toEqual([])
  expect(logged.filter(({ level }) => (level as number) > 30)).toEqual([])
})

it('pauses during the day, but catches up on a server that never runs at night', async () => {
  const { key } = await store(160_000)
  await scrubNights(1)
  app.clock.advance(9 * HOUR)
  read = []
  await scrubBlobs(services, never)
  expect(read).toEqual([])
  app.clock.advance(24 * HOUR)
  await scrubBlobs(services, never)
  expect(read).toEqual([key])
})

it('continues after an interruption without reading a blob twice', async () => {
  const keys: string[] = []
  for (let index = 0; index < 6; index++) keys.push((await store(500)).key)
  await scrubNights(1)
  // Lets this night read all of them.
  await services.db.updateTable('scrub').set({ bytes_left: 1e9, position: '' }).execute()
  read = []
  const stopping = new AbortController()
  onRead = async () => {
    if (read.length === 2) stopping.abort()
  }
  await scrubBlobs(services, stopping.signal)
  expect(read.length).toBeLessThan(6)
  const done = (await services.db.selectFrom('scrub').select('position').executeTakeFirstOrThrow()).position
  read = []
  onRead = async () => {}
  await scrubBlobs(services, never)
  expect(read).toEqual(keys.sort().filter((key) => key > done))
})

it('scrubs on one of several servers each night', async () => {
  await store(500)
  await Promise.all([scrubBlobs(services, never), scrubBlobs(services, never), scrubBlobs(services, never)])
  expect(read).toHaveLength(1)
})

it('waits for the lease of another server and takes over when it expires', async () => {
  await store(500)
  await services.db
    .insertInto('leases')
    .values({ name: 'scrub', holder: 'another', expires_at: app.clock.now() + 5 * 60_000 })
    .execute()
  await scrubBlobs(services, never)
  expect(read).toEqual([])
  app.clock.advance(5 * 60_000)
  await scrubBlobs(services, never)
  expect(read).toHaveLength(1)
})

it('scrubs again after a clock that was ahead has been corrected', async () => {
  const { key } = await store(500)
  const ahead = app.clock.now() + 10 * 365 * 24 * HOUR
  await services.db.updateTable('scrub').set({ round_began_at: ahead, round_ended_at: ahead }).execute()
  await services.db.insertInto('leases').values({ name: 'scrub', holder: 'another', expires_at: ahead }).execute()
  await scrubBlobs(services, never)
  expect(read).toEqual([key])
})
