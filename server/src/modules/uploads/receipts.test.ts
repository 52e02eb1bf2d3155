import { randomBytes, randomUUID } from 'node:crypto'
import { createFolder, getFolder, listRootFolders, trashFile } from '@alcove/contract/files'
import { deleteItems } from '@alcove/contract/trash'
import { completeUpload, createFolderPaths, verifyUploads } from '@alcove/contract/uploads'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

const verify = (...uploadIds: string[]) => user.client.call(verifyUploads, { uploadIds })

/** Uploads a file in one request, and returns the upload id with the response. */
async function upload(filename: string, content: string, fields = {}) {
  const uploadId = randomUUID()
  const sent = { uploadId, filename, chunkIndex: 0, totalChunks: 1, complete: true, ...fields }
  const { status, body } = await user.client.sendChunk(sent, Buffer.from(content))
  return { uploadId, status, body: body as { id: string; code?: string; error?: string; existing?: object } }
}

const inTheWay = (name: string) =>
  `A file or folder named "${name}" already exists here. Rename it or the folder that is uploaded, then try again.`

describe('verifying uploads', () => {
  it('returns stored uploads with their size and omits unfinished and unknown ones', async () => {
    const a = await upload('a.txt', 'hello')
    const b = await upload('b.txt', '')
    const unfinished = randomUUID()
    await user.client.sendChunk({ uploadId: unfinished, filename: 'c', chunkIndex: 0, totalChunks: 2 }, randomBytes(9))
    const { status, body } = await verify(a.uploadId, b.uploadId, unfinished, randomUUID())
    expect(status).toBe(200)
    expect(body.gone).toEqual([])
    expect(body.stored).toHaveLength(2)
    expect(body.stored).toEqual(
      expect.arrayContaining([
        { uploadId: a.uploadId, size: 5 },
        { uploadId: b.uploadId, size: 0 },
      ]),
    )
  })

  it('lists uploads as gone once their file is replaced or permanently deleted', async () => {
    const replaced = await upload('a.txt', 'old')
    const deleted = await upload('b.txt', 'x')
    await upload('a.txt', 'newer', { onConflict: 'replace' })
    await user.client.call(trashFile, { id: deleted.body.id })
    expect((await verify(deleted.uploadId)).body.stored).toHaveLength(1)
    await user.client.call(deleteItems, { itemIds: [deleted.body.id] })
    const { body } = await verify(replaced.uploadId, deleted.uploadId)
    expect(body.stored).toEqual([])
    expect(body.gone.toSorted()).toEqual([replaced.uploadId, deleted.uploadId].toSorted())
  })

  it('returns the names of siblings that differ only in case', async () => {
    const folder = (await user.client.call(createFolder, { folderName: 'f' })).body
    await user.client.call(createFolder, { folderName: 'PHOTO 1.jpg', parentFolderId: folder.id })
    await upload('photo 2.jpg', 'elsewhere')
    const sent = []
    for (const name of ['photo 1.jpg', 'Photo 2.jpg', 'Ä', 'ä', 'A'])
      sent.push(await upload(name, 'x', { folderId: folder.id }))
    const { stored } = (await verify(...sent.map(({ uploadId }) => uploadId))).body
    const twins = new Map(stored.map(({ uploadId, caseTwin }) => [uploadId, caseTwin]))
    expect(sent.map(({ uploadId }) => twins.get(uploadId))).toEqual(['PHOTO 1.jpg', undefined, 'ä', 'Ä', undefined])
  })

  it("omits another user's uploads", async () => {
    const { uploadId } = await upload('a.txt', 'x')
    const other = await app.createUser()
    expect((await other.client.call(verifyUploads, { uploadIds: [uploadId] })).body).toEqual({ stored: [], gone: [] })
  })

  it('accepts up to 10,000 ids and rejects more, none or an invalid id', async () => {
    const ids = Array.from({ length: 10_000 }, () => randomUUID())
    expect((await verify(...ids)).body).toEqual({ stored: [], gone: [] })
    expect((await verify(...ids, randomUUID())).status).toBe(400)
    expect((await verify()).status).toBe(400)
    expect((await verify('x')).status).toBe(400)
  })
})

describe('creating folders by path', () => {
  const create = (folderPaths: string[], fields = {}) => user.client.call(createFolderPaths, { folderPaths, ...fields })

  it('creates missing parent folders once and keeps existing folders', async () => {
    const trip = (await user.client.call(createFolder, { folderName: 'Trip' })).body
    const created = await create(['Trip/day 1/raw', 'Trip/day 1/best', 'Plans'])
    expect(created).toMatchObject({ status: 201, body: { count: 4 } })
    expect((await create(['Trip/day 1/raw'])).body.count).toBe(0)
    const roots = (await user.client.call(listRootFolders, {})).body
    expect(roots.map(({ name }) => name)).toEqual(['Plans', 'Trip'])
    const [day] = (await user.client.call(getFolder, { id: trip.id })).body.subFolders
    const inside = (await user.client.call(getFolder, { id: day?.id ?? '' })).body
    expect(inside.subFolders.map(({ name }) => name)).toEqual(['best', 'raw'])
  })

  it('creates either all folders or none', async () => {
    await upload('Plans', 'a file')
    const refused = await create(['Trip/day 1', 'Plans/later'])
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken', error: inTheWay('Plans') } })
    expect((await user.client.call(listRootFolders, {})).body).toEqual([])
  })

  it.each([['..'], ['/a'], ['a//b'], ['a/../b'], [''], ['a\u0000']])('rejects the folder path %j', async (path) => {
    expect((await create([path])).status).toBe(400)
  })

  it("rejects too many paths, a path that is too deep, and another user's folder", async () => {
    expect((await create(Array.from({ length: 501 }, (_, index) => `${index}`))).status).toBe(400)
    expect((await create([Array.from({ length: 200 }, () => 'a').join('/')])).status).toBe(400)
    const other = await app.createUser()
    const theirs = (await other.client.call(createFolder, { folderName: 'A' })).body
    expect((await create(['b'], { parentFolderId: theirs.id })).status).toBe(404)
  })

  it('creates each folder once when four requests run at the same time', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => create(['A/b', 'A/c'])))
    expect(responses.map(({ body }) => body.count).toSorted()).toEqual([0, 0, 0, 3])
  })
})

describe('an upload whose name is taken', () => {
  it('returns the existing item when the name is taken', async () => {
    await upload('a.txt', 'old')
    const refused = await upload('a.txt', 'newer', { onConflict: 'fail' })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'name_taken', existing: { type: 'file', size: 3 } })
    const inFolder = { relativePath: 'Trip/b.txt', onConflict: 'fail' }
    expect((await upload('b.txt', 'x', inFolder)).status).toBe(201)
    expect((await upload('b.txt', 'yy', inFolder)).body).toMatchObject({ existing: { type: 'file', size: 1 } })
    expect((await upload('Trip', 'yy', { onConflict: 'fail' })).body).toMatchObject({ existing: { type: 'folder' } })
  })

  it.each(['fail', 'keepBoth', 'replace'])(
    'names the file that is in the way of a folder, also with onConflict %s',
    async (onConflict) => {
      await upload('Trip', 'a file')
      const refused = await upload('a.txt', 'x', { relativePath: 'Trip/day 1/a.txt', onConflict })
      expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken', error: inTheWay('Trip') } })
      expect(refused.body.existing).toBeUndefined()
    },
  )

  it('rejects a taken name with the first chunk', async () => {
    await upload('film.bin', 'old')
    const uploadId = randomUUID()
    const sent = { uploadId, filename: 'film.bin', chunkIndex: 0, totalChunks: 2, totalSize: 20, chunkSize: 10 }
    const refused = await user.client.sendChunk({ ...sent, onConflict: 'fail' }, randomBytes(10))
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken', existing: { size: 3 } } })
    expect((await user.client.sendChunk({ ...sent, onConflict: 'keepBoth' }, randomBytes(10))).status).toBe(200)
    await user.client.sendChunk({ ...sent, chunkIndex: 1, onConflict: 'keepBoth' }, randomBytes(10))
    const committed = await user.client.call(completeUpload, { uploadId })
    expect(committed.body).toMatchObject({ name: 'film (1).bin' })
  })

  it('returns the item that took the name while the chunks arrived', async () => {
    const uploadId = randomUUID()
    const sent = { uploadId, filename: 'late.bin', chunkIndex: 0, totalChunks: 2, totalSize: 20, chunkSize: 10 }
    for (const chunkIndex of [0, 1]) {
      await user.client.sendChunk({ ...sent, chunkIndex, onConflict: 'fail' }, randomBytes(10))
    }
    await upload('late.bin', 'first')
    const refused = await user.client.call(completeUpload, { uploadId })
    expect(refused).toMatchObject({ status: 409, body: { existing: { type: 'file', size: 5 } } })
  })
})
