import { randomUUID } from 'node:crypto'
import { getStorage } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { deleteItems } from '@alcove/contract/trash'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { app, listIn, namesIn, readStorage, setUpDrive, uploadTrashed, user } from './testing/factories/drive.ts'

setUpDrive()

const DISK_FULL = {
  status: 507,
  body: { code: 'storage_full', message: expect.stringMatching(/^The disk of this server is full\./) },
}
const READ_ONLY = {
  status: 503,
  body: {
    code: 'unavailable',
    message: expect.stringMatching(/^The disk of this server is not writable\./),
  },
}

/** Makes the database unable to grow, as on a full disk. */
async function fillDatabase(): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(app.services.db)
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(app.services.db)
}

async function allowGrowth(): Promise<void> {
  await sql`pragma max_page_count = 1073741823`.execute(app.services.db)
}

/** Makes the database read-only, as on a disk that has become read-only, or writable again. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await sql.raw(`pragma query_only = ${isReadOnly ? 'on' : 'off'}`).execute(app.services.db)
}

afterEach(async () => {
  await setReadOnly(false)
  await allowGrowth()
})

function sendSmall(name: string) {
  const fields = { uploadId: randomUUID(), filename: name, chunkIndex: 0, totalChunks: 1, complete: true }
  return user.client.sendChunk(fields, 'x')
}

/** Sends so many files at once that the existing pages of the database don't suffice. */
function sendMany() {
  return Promise.all(Array.from({ length: 200 }, (_, index) => sendSmall(`${index} ${'x'.repeat(200)}.txt`)))
}

describe('a database that cannot grow', () => {
  it('makes each upload of a failed group commit return storage_full and store nothing', async () => {
    await fillDatabase()
    const responses = await sendMany()
    const refused = responses.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const response of refused) expect(response).toMatchObject(DISK_FULL)
    const stored = await listIn()
    expect(stored).toHaveLength(responses.length - refused.length)
    expect(await readStorage()).toEqual({ used_bytes: stored.length, reserved_bytes: 0 })
  })

  it('accepts uploads again once it can grow', async () => {
    await fillDatabase()
    await sendMany()
    await allowGrowth()
    expect((await sendSmall('after.txt')).status).toBe(201)
    expect(await namesIn()).toContain('after.txt')
  })
})

describe('a read-only database', () => {
  it('rejects writes as unavailable and still allows reads, even with a session unused for an hour', async () => {
    await user.client.upload('before.txt', 'x')
    await setReadOnly(true)
    app.clock.advance(60 * 60_000)
    expect(await namesIn()).toEqual(['before.txt'])
    expect((await user.client.call(getStorage, {})).status).toBe(200)
    const refused = await sendSmall('refused.txt')
    expect(refused).toMatchObject(READ_ONLY)
    expect(refused.headers['retry-after']).toBe('30')
    await setReadOnly(false)
    expect((await sendSmall('after.txt')).status).toBe(201)
  })

  it('leaves files whole if a deletion fails', async () => {
    const file = await uploadTrashed('trashed.txt')
    await setReadOnly(true)
    expect(await user.client.call(deleteItems, { itemIds: [file.id] })).toMatchObject(READ_ONLY)
    await setReadOnly(false)
    expect((await user.client.call(deleteItems, { itemIds: [file.id] })).status).toBe(200)
    expect((await user.client.call(listItems, {})).body.total).toBe(0)
  })
})
