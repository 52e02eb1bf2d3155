import { randomUUID } from 'node:crypto'
import { getStorage } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { deleteItems } from '@alcove/contract/trash'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { app, listIn, namesIn, readStorage, setUpDrive, uploadTrashed, user } from './testing/factories/drive.ts'

setUpDrive()

const FULL = {
  status: 507,
  body: { code: 'storage_full', message: expect.stringMatching(/^The disk of this server is full\./) },
}
const CLOSED = {
  status: 503,
  body: {
    code: 'unavailable',
    message: expect.stringMatching(/^The disk of this server cannot be written to just now\./),
  },
}

/** From now on the database may not grow, as on a full disk. */
async function fillDatabase(): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(app.services.db)
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(app.services.db)
}

async function makeRoom(): Promise<void> {
  await sql`pragma max_page_count = 1073741823`.execute(app.services.db)
}

/** From now on nothing can be written to the database, as on a disk that has become read-only. */
async function closeDatabase(isClosed: boolean): Promise<void> {
  await sql.raw(`pragma query_only = ${isClosed ? 'on' : 'off'}`).execute(app.services.db)
}

afterEach(async () => {
  await closeDatabase(false)
  await makeRoom()
})

function sendSmall(name: string) {
  const fields = { uploadId: randomUUID(), filename: name, chunkIndex: 0, totalChunks: 1, complete: true }
  return user.client.sendChunk(fields, 'x')
}

/** So many at once that the pages that are there already do not suffice. */
function sendMany() {
  return Promise.all(Array.from({ length: 200 }, (_, index) => sendSmall(`${index} ${'x'.repeat(200)}.txt`)))
}

describe('a database that cannot grow', () => {
  it('is told as a full disk, to each of those whose changes went together; nothing is half done', async () => {
    await fillDatabase()
    const responses = await sendMany()
    const refused = responses.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const response of refused) expect(response).toMatchObject(FULL)
    const stored = await listIn()
    expect(stored).toHaveLength(responses.length - refused.length)
    expect(await readStorage()).toEqual({ used_bytes: stored.length, reserved_bytes: 0 })
  })

  it('goes on once there is room again', async () => {
    await fillDatabase()
    await sendMany()
    await makeRoom()
    expect((await sendSmall('after.txt')).status).toBe(201)
    expect(await namesIn()).toContain('after.txt')
  })
})

describe('a database that cannot be written to', () => {
  it('is told as that, and can still be read, also by who has not been here for long', async () => {
    await user.client.upload('before.txt', 'x')
    await closeDatabase(true)
    app.clock.advance(60 * 60_000)
    expect(await namesIn()).toEqual(['before.txt'])
    expect((await user.client.call(getStorage, {})).status).toBe(200)
    const refused = await sendSmall('refused.txt')
    expect(refused).toMatchObject(CLOSED)
    expect(refused.headers['retry-after']).toBe('30')
    await closeDatabase(false)
    expect((await sendSmall('after.txt')).status).toBe(201)
  })

  it('deletes nothing by half', async () => {
    const file = await uploadTrashed('trashed.txt')
    await closeDatabase(true)
    expect(await user.client.call(deleteItems, { itemIds: [file.id] })).toMatchObject(CLOSED)
    await closeDatabase(false)
    expect((await user.client.call(deleteItems, { itemIds: [file.id] })).status).toBe(200)
    expect((await user.client.call(listItems, {})).body.total).toBe(0)
  })
})
