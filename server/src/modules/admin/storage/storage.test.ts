import { randomBytes } from 'node:crypto'
import { getAdminStorage, startScrub } from '@alcove/contract/admin-storage'
import { listAuditLog } from '@alcove/contract/audit'
import { beforeEach, expect, it } from 'vitest'
import type { TestClient } from '../../../testing/clients/client.ts'
import { app, setUpDrive, trashAndDelete, user } from '../../../testing/factories/drive.ts'
import { blobOf } from '../../../testing/factories/stored-blob.ts'
import { digestBlobs } from '../../storage/digest-blobs.ts'
import { scrubBlobs } from '../../storage/scrub-blobs.ts'
import { sampleStorage } from './sample-storage.ts'

setUpDrive()

const DAY = 24 * 3_600_000
const never = new AbortController().signal

let admin: TestClient
beforeEach(async () => {
  admin = (await app.createUser({ isAdmin: true })).client
  await app.services.db.deleteFrom('storage_samples').execute()
  await app.services.db.updateTable('scrub').set({ bytes_left: 0, position: '' }).execute()
})

const read = async () => (await admin.call(getAdminStorage, {})).body

/** Moves the clock. The session of the administrator ends meanwhile. */
async function wait(days: number): Promise<void> {
  app.clock.advance(days * DAY)
  admin = (await app.createUser({ isAdmin: true })).client
}

it('shows the store, its disk, and who stores most', async () => {
  await user.client.upload('a.bin', randomBytes(190_000))
  const storage = await read()
  const { s3 } = app.services.config
  expect(storage.store).toMatchObject(s3 ? { kind: 's3', place: s3.bucket } : { kind: 'disk', place: app.dataDir })
  expect(storage.disk.totalBytes).toBeGreaterThan(storage.disk.freeBytes)
  expect(storage.databaseBytes).toBeGreaterThan(10_000)
  expect(storage.largestUsers[0]).toMatchObject({ id: user.id, email: user.email, usedBytes: 190_000 })
  expect(storage.usedBytes).toBeGreaterThanOrEqual(190_000)
})

it('shows how much was added since a sample of up to 30 days ago', async () => {
  await user.client.upload('a.bin', randomBytes(1000))
  expect(await read()).toMatchObject({ growth: null, samples: [], blobBytes: null })
  await sampleStorage(app.services)
  expect(await read()).toMatchObject({ growth: null, samples: [{ day: expect.any(String) }] })
  const before = (await read()).usedBytes
  app.clock.advance(DAY)
  await user.client.upload('b.bin', randomBytes(500))
  await sampleStorage(app.services)
  // The second of a day changes nothing.
  await user.client.upload('c.bin', randomBytes(700))
  await sampleStorage(app.services)
  const { growth, samples, blobBytes } = await read()
  expect(growth?.bytes).toBe(1200)
  expect(samples.map(({ usedBytes }) => usedBytes)).toEqual([before, before + 500])
  expect(blobBytes).toBeGreaterThanOrEqual(1500)
  await wait(29)
  expect((await read()).growth?.bytes).toBe(1200)
  await wait(2)
  expect(await read()).toMatchObject({ growth: null, samples: [] })
})

it('counts damaged files and versions by owner and never names them', async () => {
  const { id } = await user.client.upload('a name of my own.bin', randomBytes(500))
  const other = await app.createUser()
  await other.client.upload('x.bin', 'x')
  expect((await read()).damaged).toEqual({ blobs: 0, owners: [], isComplete: true })
  const { key } = await blobOf(id as string)
  await user.client.upload('a name of my own.bin', randomBytes(600), { onConflict: 'replace' })
  await app.services.db.updateTable('blobs').set({ damaged_at: 1 }).where('key', '=', key).execute()
  const storage = await read()
  expect(storage.damaged).toEqual({ blobs: 1, owners: [{ email: user.email, files: 1 }], isComplete: true })
  expect(JSON.stringify(storage)).not.toContain('a name of my own')
  await app.services.db.updateTable('blobs').set({ damaged_at: null }).execute()
})

it('counts what waits for its removal', async () => {
  const { id } = await user.client.upload('a.bin', randomBytes(500))
  await app.services.db
    .insertInto('leases')
    .values({ name: 'removals of a backup', holder: 'x', expires_at: app.clock.now() + 60_000 })
    .execute()
  await trashAndDelete(id as string)
  await app.services.jobs.runDue()
  expect((await read()).waitingForRemoval).toEqual({ blobs: 1, bytes: 500 })
  await app.services.db.deleteFrom('leases').execute()
  await app.services.jobs.runDue()
})

it('checks everything on request, once at a time, and shows the progress', async () => {
  const { id } = await user.client.upload('a.bin', randomBytes(190_000))
  await digestBlobs(app.services, never)
  const { key } = await blobOf(id as string)
  await app.services.db.updateTable('scrub').set({ round_began_at: app.clock.now() }).execute()
  // Nothing is due otherwise.
  await scrubBlobs(app.services, never)
  await app.services.blobs.remove(key)

  expect((await admin.call(startScrub, {})).status).toBe(200)
  expect((await read()).scrub).toMatchObject({ state: 'waiting', progress: 0 })
  expect(await admin.call(startScrub, {})).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
  await scrubBlobs(app.services, never)
  const { scrub, damaged } = await read()
  expect(scrub).toMatchObject({ state: 'idle', progress: null, endedAt: expect.any(String) })
  expect(damaged.owners).toEqual([{ email: user.email, files: 1 }])
  const { entries } = (await admin.call(listAuditLog, {})).body
  expect(entries.filter(({ action }) => action === 'storage.check')).toHaveLength(1)
  await app.services.db.updateTable('blobs').set({ damaged_at: null }).execute()
})
