import { randomUUID } from 'node:crypto'
import { deleteAccount, getAccountStatus, login, register, type SignedIn } from '@alcove/contract/accounts'
import { addFavorite } from '@alcove/contract/favorites'
import { createFolder, trashFile } from '@alcove/contract/files'
import { getPublicItem, updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { countRows, countStored } from '../../../testing/factories/stored-blob.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { endCustomerJob } from '../../billing/index.ts'
import { syncSearch } from '../../search/sync-search.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

const remove = (client = user.client) => client.call(deleteAccount, {})

const countRowsOf = (userId: string) => countRows(app.services.db, userId)

describe('deleting an account', () => {
  it('deletes all rows and bytes of the user and nothing of other users', async () => {
    user = await app.createUser({ planName: '100 GB Monthly' })
    const other = await app.createUser()
    await other.client.upload('kept.bin', 'k'.repeat(200_000))
    const before = { rows: await countRowsOf(other.id), stored: await countStored(app) }

    const folder = (await user.client.call(createFolder, { folderName: 'Trip' })).body
    const inside = await user.client.upload('a.bin', 'a'.repeat(200_000), { folderId: folder.id })
    await user.client.upload('small.txt', 'small', { folderId: folder.id })
    const trashed = await user.client.upload('b.bin', 'b'.repeat(200_000))
    await user.client.upload('b.bin', 'B'.repeat(200_000), { onConflict: 'replace' })
    await user.client.call(trashFile, { id: trashed.id })
    await user.client.upload('c.bin', 'c'.repeat(200_000), { isEncrypted: true })
    await user.client.call(addFavorite, { itemType: 'file', itemId: inside.id })
    const { link } = (await user.client.call(updatePublicLink, { id: inside.id, enabled: true })).body
    const chunk = { uploadId: randomUUID(), filename: 'd.bin', chunkIndex: 0, totalChunks: 2 }
    await user.client.sendChunk(chunk, 'd'.repeat(200_000))
    await app.visitor.call(login, { email: user.email, password: TEST_PASSWORD })
    await syncSearch(app.services, new AbortController().signal)
    expect(Object.keys(await countRowsOf(user.id)).length).toBeGreaterThan(4)
    expect(await countStored(app)).toBeGreaterThan(before.stored + 3)

    const response = await remove()
    expect(response).toMatchObject({ status: 200, body: { message: 'Your account has been deleted.' } })
    expect(await countRowsOf(user.id)).toEqual({})
    await app.services.jobs.runDue()
    expect(await countStored(app)).toBe(before.stored)
    const { db } = app.services
    expect(await db.selectFrom('blobs').select('key').execute()).toHaveLength(1)
    for (const table of ['public_links', 'blob_removals', 'upload_chunks', 'jobs'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
    expect(await countRowsOf(other.id)).toEqual(before.rows)
    expect((await app.visitor.call(getPublicItem, { token: link.split('/').at(-1) as string })).status).toBe(404)
  })

  it('ends every session and frees the email address of a deleted account', async () => {
    const { token } = (await app.visitor.raw<SignedIn>(login, { email: user.email, password: TEST_PASSWORD })).body
    await remove()
    for (const client of [user.client, new TestClient(app.app, token)]) {
      expect((await client.call(getAccountStatus, {})).status).toBe(401)
      expect((await remove(client)).status).toBe(401)
    }
    expect((await app.visitor.call(login, { email: user.email, password: TEST_PASSWORD })).status).toBe(401)
    expect((await app.visitor.call(register, { email: user.email, password: TEST_PASSWORD })).status).toBe(201)
  })

  it('handles two concurrent account deletions and leaves no rows behind', async () => {
    await user.client.upload('a.txt', 'a')
    const responses = await Promise.all([remove(), remove()])
    for (const { status } of responses) expect([200, 401]).toContain(status)
    expect(responses.some(({ status }) => status === 200)).toBe(true)
    expect(await countRowsOf(user.id)).toEqual({})
  })

  it('leaves no rows behind when uploads and folder creations run concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      const someone = await app.createUser()
      const uploads = Array.from({ length: 6 }, (_unused, index) =>
        someone.client.sendChunk(
          {
            uploadId: randomUUID(),
            filename: `${index}.bin`,
            chunkIndex: 0,
            totalChunks: 1 + (index % 2),
            complete: true,
          },
          'x'.repeat(140_000),
        ),
      )
      const folders = [1, 2].map((number) => someone.client.call(createFolder, { folderName: `${number}` }))
      const responses = await Promise.all([
        ...uploads.slice(0, 3),
        remove(someone.client),
        ...uploads.slice(3),
        ...folders,
      ])
      for (const { status, body } of responses) expect(status, JSON.stringify(body)).toBeLessThan(500)
      expect(await countRowsOf(someone.id)).toEqual({})
    }
  })

  it('queues a job that cancels the subscription of a deleted account', async () => {
    await app.services.db
      .insertInto('billing_customers')
      .values({ user_id: user.id, realm: 'sandbox', customer_id: 'cus_1' })
      .execute()
    const ended: unknown[] = []
    app.services.jobs.handle(endCustomerJob, async (payload) => void ended.push(payload))
    await remove()
    await app.services.jobs.runDue()
    expect(ended).toEqual([{ customerId: 'cus_1' }])
  })
})
