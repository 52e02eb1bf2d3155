import { createHash, randomBytes } from 'node:crypto'
import { getItem } from '@alcove/contract/item-calls'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startSchedule } from '../../platform/jobs/schedule.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { digestBlobs } from './digest-blobs.ts'

let app: TestApp
let user: TestUser
const never = new AbortController().signal

beforeEach(async () => {
  app = await createTestApp()
  user = await app.createUser()
})
afterEach(() => app.close())

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

async function upload(name: string, content: Buffer, isSmall: boolean): Promise<{ id: string; digest: string }> {
  const fields = isSmall ? { totalSize: content.length } : {}
  const { id } = await user.client.upload(name, new Uint8Array(content), fields)
  return { id, digest: sha256(content) }
}

async function readBlob(id: string) {
  return app.services.db
    .selectFrom('items')
    .innerJoin('blobs', 'blobs.key', 'items.blob_key')
    .select(['blobs.key', 'blobs.sha256'])
    .where('items.id', '=', id)
    .executeTakeFirstOrThrow()
}

it('stores the digest of a small file at once and computes that of a large file later', async () => {
  const small = await upload('small', randomBytes(1000), true)
  const empty = await upload('empty', Buffer.alloc(0), true)
  const large = await upload('large', randomBytes(3_000_000), false)
  expect((await readBlob(small.id)).sha256).toBe(small.digest)
  expect((await readBlob(empty.id)).sha256).toBe(empty.digest)
  expect((await readBlob(large.id)).sha256).toBeNull()
  await digestBlobs(app.services, never)
  expect((await readBlob(large.id)).sha256).toBe(large.digest)
})

it('sends the digest with whole files and ranges once it is known', async () => {
  const { id, digest } = await upload('large', randomBytes(200_000), false)
  const get = (range?: string) =>
    user.client.request({ method: 'GET', url: '/api/user-files/large', headers: range ? { range } : {} })
  expect((await get()).headers['repr-digest']).toBeUndefined()
  await digestBlobs(app.services, never)
  expect((await user.client.call(getItem, { id })).body.sha256).toBe(digest)
  const expected = `sha-256=:${Buffer.from(digest, 'hex').toString('base64')}:`
  expect((await get()).headers['repr-digest']).toBe(expected)
  expect((await get('bytes=5-9')).headers['repr-digest']).toBe(expected)
})

it('computes missing digests of small and large blobs in a scheduled job', async () => {
  const files = await Promise.all(
    Array.from({ length: 5 }, (_, index) => upload(`${index}`, randomBytes(index * 50_000), index < 2)),
  )
  await app.services.db.updateTable('blobs').set({ sha256: null }).execute()
  const work = (signal: AbortSignal) => digestBlobs(app.services, signal)
  const stop = startSchedule([{ name: 'digest blobs', every: 1000, work }], app.services.log, app.services.schedule)
  await expect
    .poll(() => Promise.all(files.map(async ({ id }) => (await readBlob(id)).sha256)), { timeout: 15_000 })
    .toEqual(files.map(({ digest }) => digest))
  await stop()
})

it('stops in the middle of a blob when aborted, and computes its digest on the next run', async () => {
  const large = await upload('large', randomBytes(60_000_000), false)
  const stopping = new AbortController()
  const work = digestBlobs(app.services, stopping.signal)
  setTimeout(() => stopping.abort(), 20)
  await work
  expect((await readBlob(large.id)).sha256).toBeNull()
  await digestBlobs(app.services, never)
  expect((await readBlob(large.id)).sha256).toBe(large.digest)
})

it('skips a blob whose bytes are missing and does not retry it', async () => {
  const first = await upload('first', randomBytes(200_000), false)
  const lost = await upload('lost', randomBytes(200_000), false)
  const { key } = await readBlob(lost.id)
  await app.services.blobs.remove(key)
  await digestBlobs(app.services, never)
  expect((await readBlob(first.id)).sha256).toBe(first.digest)
  const digest = app.services.digester.digest.bind(app.services.digester)
  let times = 0
  app.services.digester.digest = (...args) => {
    times += 1
    return digest(...args)
  }
  await digestBlobs(app.services, never)
  expect(times).toBe(0)
})
