import { randomUUID } from 'node:crypto'
import { deleteAccount, downloadData, getAccountStatus, getDataUrl, login, register } from '@alcove/contract/accounts'
import { downloadItem, getDownloadUrl } from '@alcove/contract/bytes'
import { createFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import { getStreamUrl, streamFile } from '@alcove/contract/media'
import { getPublicItem, updatePublicLink } from '@alcove/contract/sharing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { JobQueue } from '../../../platform/jobs/job-queue.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addManyItems, indexNames } from '../../../testing/factories/many-items.ts'
import { addManyVersions } from '../../../testing/factories/many-versions.ts'
import { countRows, countStored } from '../../../testing/factories/stored-blob.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { endCustomerJob } from '../../billing/index.ts'
import { removeBlobsJob, removeQueuedBlobs } from '../../storage/remove-blobs.ts'
import { BATCH_SIZE, deleteLeftovers, deleteLeftoversJob } from './delete-leftovers.ts'

let app: TestApp
let user: TestUser

/** More items than one transaction deletes. */
const MANY = 3 * BATCH_SIZE

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.services.jobs.runDue()
  user = await app.createUser({ planName: '2 TB Annually', allocatedBytes: 10 ** 12 })
})

const remove = (client = user.client) => client.call(deleteAccount, {})
const rowsOf = (userId: string) => countRows(app.services.db, userId)
const namesOf = (count: number, what: string) =>
  Array.from({ length: count }, (_unused, index) => `${what} ${index}.txt`)
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams) as Record<'owner', string>

/** Fills an account with nested folders and files, some of them trashed, with stored bytes and a search index. */
async function fill({ id, client }: TestUser) {
  const { services } = app
  await addManyItems(services, { ownerId: id, names: namesOf(MANY, 'at the root') })
  const folders = await addManyItems(services, {
    ownerId: id,
    names: namesOf(BATCH_SIZE + 10, 'folder'),
    kind: 'folder',
  })
  const [outer, trashed] = folders as [string, string]
  let folderId = outer
  for (let depth = 0; depth < 20; depth++) {
    folderId = (await client.call(createFolder, { folderName: 'deeper', parentFolderId: folderId })).body.id
    await addManyItems(services, { ownerId: id, folderId, names: namesOf(3, 'deep') })
  }
  await addManyItems(services, { ownerId: id, folderId: trashed, names: namesOf(5, 'with its folder') })
  await client.call(trashFolder, { id: trashed })
  const file = await client.upload('bytes.bin', 'b'.repeat(200_000), { folderId })
  const latest = services.clock.now()
  await addManyVersions(services, { ownerId: id, itemId: file.id, count: MANY, every: 1000, latest })
  const song = await client.upload('song.mp3', 's'.repeat(200_000))
  await client.upload('sealed.bin', 'v'.repeat(200_000), { isEncrypted: true })
  const gone = await client.upload('gone.bin', 'g'.repeat(200_000))
  await client.call(trashFile, { id: gone.id })
  const chunk = { uploadId: randomUUID(), filename: 'half.bin', chunkIndex: 0, totalChunks: 2 }
  await client.sendChunk(chunk, 'h'.repeat(200_000))
  await indexNames(services)
  return { file, song }
}

async function deleteLargeAccount() {
  const filled = await fill(user)
  expect((await remove()).status).toBe(200)
  return filled
}

describe('deleting a large account', () => {
  it('ends the account at once, then deletes its rows and bytes but nobody else’s', async () => {
    const other = await app.createUser()
    await other.client.upload('kept.bin', 'k'.repeat(200_000))
    const before = { rows: await rowsOf(other.id), stored: await countStored(app) }
    const blobs = () => app.services.db.selectFrom('blobs').select('key').orderBy('key').execute()
    const blobsBefore = await blobs()
    await fill(user)

    const response = await remove()
    expect(response).toMatchObject({ status: 200, body: { message: 'Your account has been deleted.' } })
    const remains = await rowsOf(user.id)
    expect(Object.keys(remains).sort()).toEqual(expect.arrayContaining(['items', 'users']))
    for (const table of ['sessions', 'known_devices', 'passkeys', 'download_selections', 'one_time_tokens']) {
      expect(remains, table).not.toHaveProperty(table)
    }
    const { db } = app.services
    const unfinished = db
      .selectFrom('uploads')
      .select('id')
      .where('owner_id', '=', user.id)
      .where('completed_at', 'is', null)
    expect(await unfinished.execute()).toEqual([])

    // Waits for the job to run by itself, so that its statements are inspected like those of API calls.
    await expect.poll(() => rowsOf(user.id), { timeout: 30_000 }).toEqual({})
    await app.services.jobs.runDue()
    expect(await countStored(app)).toBe(before.stored)
    expect(await blobs()).toEqual(blobsBefore)
    for (const table of ['public_links', 'blob_removals', 'upload_chunks', 'jobs', 'search_members'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
    expect(await rowsOf(other.id)).toEqual(before.rows)
  }, 60_000)

  it('rejects every URL, link and sign-in that leads to the remaining data', async () => {
    const { file, song } = await fill(user)
    const download = (await user.client.call(getDownloadUrl, { id: file.id })).body.url
    const together = (await user.client.call(getItemsDownloadUrl, { itemIds: [file.id, song.id] })).body.url
    const stream = (await user.client.call(getStreamUrl, { id: song.id })).body.url
    const data = (await user.client.call(getDataUrl, {})).body.url
    const { link } = (await user.client.call(updatePublicLink, { id: file.id, enabled: true })).body
    const requested = async () => [
      (await app.visitor.raw(downloadItem, { id: file.id, ...queryOf(download) } as never)).status,
      (
        await app.visitor.raw(downloadItem, {
          id: new URL(together).pathname.split('/').at(-1),
          ...queryOf(together),
        } as never)
      ).status,
      (await app.visitor.raw(streamFile, { id: song.id, ...queryOf(stream) } as never)).status,
      (await app.visitor.call(getPublicItem, { token: link.split('/').at(-1) as string })).status,
      (await user.client.call(getAccountStatus, {})).status,
    ]
    expect(await requested()).toEqual([200, 200, 200, 200, 200])
    await remove()
    expect(await requested()).toEqual([404, 404, 404, 404, 401])
    expect((await app.visitor.raw(downloadData, queryOf(data) as never)).status).toBe(403)
    expect((await app.visitor.call(login, { email: user.email, password: TEST_PASSWORD })).status).toBe(401)
    await app.services.jobs.runDue()
    expect(await rowsOf(user.id)).toEqual({})
  })

  it('frees the email address before the remaining data is deleted', async () => {
    await deleteLargeAccount()
    const again = { email: user.email, password: TEST_PASSWORD }
    expect((await app.visitor.call(register, again)).status).toBe(201)
    await app.services.jobs.runDue()
    expect(await rowsOf(user.id)).toEqual({})
    expect((await app.visitor.call(register, again)).status).toBe(409)
  })

  it('continues the deletion after a server crashes between two steps', async () => {
    const crashed = await createTestApp()
    const { services, clock } = crashed
    const { id, client } = await crashed.createUser()
    await addManyItems(services, { ownerId: id, names: namesOf(MANY, 'file') })
    await services.jobs.stop()
    expect((await client.call(deleteAccount, {})).status).toBe(200)
    const jobs = new JobQueue(services.db, clock, pino({ level: 'silent' }))
    const started: unknown[] = []
    jobs.handle(deleteLeftoversJob, async (payload) => {
      started.push(payload)
      await deleteLeftovers(services, id)
    })
    jobs.handle(removeBlobsJob, () => removeQueuedBlobs(services))
    // The crashed server has claimed the job and done part of it.
    await services.db
      .updateTable('jobs')
      .set({ run_at: clock.now() + 60_000 })
      .where('kind', '=', deleteLeftoversJob.kind)
      .execute()
    let steps = 0
    expect(await deleteLeftovers(services, id, () => ++steps === 4)).toBe(false)
    const { items } = await countRows(services.db, id)
    expect(items).toBeGreaterThan(0)
    expect(items).toBeLessThan(MANY)

    await jobs.runDue()
    expect(started).toEqual([])
    clock.advance(60_001)
    await jobs.runDue()
    expect(started).toEqual([{ userId: id }])
    expect(await countRows(services.db, id)).toEqual({})
    await jobs.runDue()
    expect(await services.db.selectFrom('blobs').select('key').execute()).toEqual([])
    await crashed.close()
  })

  it('deletes everything when several workers delete the same account concurrently', async () => {
    await deleteLargeAccount()
    await Promise.all([
      deleteLeftovers(app.services, user.id),
      deleteLeftovers(app.services, user.id),
      app.services.jobs.runDue(),
    ])
    await app.services.jobs.runDue()
    expect(await rowsOf(user.id)).toEqual({})
  })

  it('handles two concurrent deletions with at most one job and leaves no rows behind', async () => {
    await fill(user)
    const responses = await Promise.all([remove(), remove()])
    for (const { status } of responses) expect([200, 401]).toContain(status)
    expect(responses.some(({ status }) => status === 200)).toBe(true)
    const queued = app.services.db.selectFrom('jobs').select('id').where('kind', '=', deleteLeftoversJob.kind)
    expect((await queued.execute()).length).toBeLessThanOrEqual(1)
    await app.services.jobs.runDue()
    expect(await rowsOf(user.id)).toEqual({})
  })

  it('leaves no rows behind when uploads and folder creations run concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const someone = await app.createUser({ allocatedBytes: 10 ** 12 })
      await addManyItems(app.services, { ownerId: someone.id, names: namesOf(BATCH_SIZE + 1, 'file') })
      const send = (index: number) =>
        someone.client.sendChunk(
          {
            uploadId: randomUUID(),
            filename: `${index}.bin`,
            chunkIndex: 0,
            totalChunks: 1 + (index % 2),
            complete: true,
          },
          'x'.repeat(140_000),
        )
      const folders = [1, 2].map((number) => someone.client.call(createFolder, { folderName: `${number}` }))
      const responses = await Promise.all([
        ...[0, 1, 2].map(send),
        remove(someone.client),
        ...[3, 4, 5].map(send),
        ...folders,
      ])
      for (const { status, body } of responses) expect(status, JSON.stringify(body)).toBeLessThan(500)
      expect((await someone.client.call(getAccountStatus, {})).status).toBe(401)
      app.clock.advance(60_000)
      await app.services.jobs.runDue()
      expect(await rowsOf(someone.id)).toEqual({})
    }
  })

  it('queues a job that cancels the subscription of a large account', async () => {
    const customer = { user_id: user.id, realm: 'sandbox', customer_id: 'cus_much' } as const
    await app.services.db.insertInto('billing_customers').values(customer).execute()
    const ended: unknown[] = []
    app.services.jobs.handle(endCustomerJob, async (payload) => void ended.push(payload))
    await deleteLargeAccount()
    await app.services.jobs.runDue()
    expect(ended).toEqual([{ customerId: 'cus_much' }])
  })

  it('responds before the files of a large account are deleted', async () => {
    await addManyItems(app.services, { ownerId: user.id, names: namesOf(10_000, 'one of many') })
    await indexNames(app.services)
    expect((await remove()).status).toBe(200)
    expect((await rowsOf(user.id)).items).toBeGreaterThan(BATCH_SIZE)
    await app.services.jobs.runDue()
    expect(await rowsOf(user.id)).toEqual({})
  })
})
