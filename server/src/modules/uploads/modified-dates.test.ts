import { randomUUID } from 'node:crypto'
import { getDataUrl } from '@alcove/contract/accounts'
import { fetchFile, getDownloadUrl, getUserFile } from '@alcove/contract/bytes'
import { addFavorite, listFavorites } from '@alcove/contract/favorites'
import { moveFile, renameFile } from '@alcove/contract/files'
import { copyItems, getItem, listItems, moveItems } from '@alcove/contract/item-calls'
import { listAudio } from '@alcove/contract/media'
import { getPublicItem, updatePublicLink } from '@alcove/contract/sharing'
import { listTrash, restoreFile } from '@alcove/contract/trash'
import { completeUpload } from '@alcove/contract/uploads'
import { describe, expect, it } from 'vitest'
import { app, listIn, makeFolder, readStorage, setUpDrive, trash, user } from '../../testing/factories/drive.ts'

setUpDrive()

const DATE = '2011-05-06T07:08:09.123Z'
const MILLISECONDS = Date.parse(DATE)
const OLDER = '1999-12-31T23:59:58.007Z'

const dateOf = async (id: string) => {
  const { item } = (await user.client.call(getItem, { id })).body
  return item.type === 'file' ? item.modifiedAt : undefined
}
const now = () => new Date(app.clock.now()).toISOString()

describe('the modification date of an upload', () => {
  it.each([
    ['ISO 8601 in UTC', DATE, DATE],
    ['a day', '2011-05-06', '2011-05-06T00:00:00.000Z'],
    ['ISO 8601 with an offset', '2011-05-06T09:08:09.123+02:00', DATE],
    ['milliseconds since 1970', MILLISECONDS, DATE],
    ['milliseconds with a fraction', MILLISECONDS + 0.625, DATE],
    ['the beginning of 1970', 0, '1970-01-01T00:00:00.000Z'],
    ['the end of 9999', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('is stored if it is %s', async (_what, lastModified, stored) => {
    const file = await user.client.upload('a.txt', 'x', { lastModified })
    expect(file).toMatchObject({ modifiedAt: stored, createdAt: now(), updatedAt: now() })
    expect(await listIn()).toMatchObject([{ modifiedAt: stored, createdAt: now() }])
  })

  it('is the time of the upload by default', async () => {
    expect(await user.client.upload('a.txt', 'x')).toMatchObject({ modifiedAt: now() })
  })

  it.each([
    ['before 1970', -1],
    ['before 1970 in ISO 8601', '1969-12-31T23:59:59.999Z'],
    ['before 1970 in UTC', '1970-01-01T00:30:00+01:00'],
    ['after 9999', 253_402_300_800_000],
    ['after 9999 in UTC', '9999-12-31T23:30:00-01:00'],
    ['of the year 10000', '+010000-01-01T00:00:00Z'],
    ['that does not exist', '2023-02-29T00:00:00Z'],
    ['without a time zone', '2011-05-06T07:08:09'],
    ['a day that does not exist', '2011-02-30'],
    ['in exponent notation', '1e12'],
    ['that is empty', ''],
    ['that is no date', 'yesterday'],
  ])('is rejected if it is a date %s, and nothing is lost', async (_what, bad) => {
    const sentence =
      'lastModified must be a date in the years 1970 to 9999, in ISO 8601 with a time zone or in milliseconds since 1970.'
    const refused = { status: 400, body: { code: 'malformed', error: sentence } }
    const upload = { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, totalSize: 1 }
    for (const chunkFirst of [false, true]) {
      const fields = { ...upload, complete: true, lastModified: bad }
      expect(await user.client.sendChunk(fields, 'x', { chunkFirst })).toMatchObject(refused)
    }
    const together = { uploadId: randomUUID(), filename: 'b.txt', size: 1, lastModified: bad }
    expect(await user.client.sendFiles([together], 'x')).toMatchObject(refused)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
    expect((await user.client.sendChunk(upload, 'x')).status).toBe(200)
    const { uploadId } = upload
    expect(await user.client.raw(completeUpload, { uploadId, lastModified: bad })).toMatchObject(refused)
    const completed = await user.client.call(completeUpload, { uploadId, lastModified: DATE })
    expect(completed).toMatchObject({ status: 201, body: { modifiedAt: DATE } })
  })

  it('is kept from the first chunk, unless the completion repeats it', async () => {
    const announced = { uploadId: randomUUID(), filename: 'a.txt', totalChunks: 2, totalSize: 2, lastModified: OLDER }
    const repeated = { ...announced, uploadId: randomUUID(), filename: 'b.txt' }
    for (const upload of [announced, repeated]) {
      await user.client.sendChunk({ ...upload, chunkIndex: 0 }, 'x')
      await user.client.sendChunk({ ...upload, lastModified: undefined, chunkIndex: 1 }, 'y')
    }
    app.clock.advance(60_000)
    expect((await user.client.call(completeUpload, { uploadId: announced.uploadId })).body.modifiedAt).toBe(OLDER)
    const { body } = await user.client.call(completeUpload, { uploadId: repeated.uploadId, lastModified: DATE })
    expect(body.modifiedAt).toBe(DATE)
  })

  it('is stored for each of many small files', async () => {
    const describeFile = (filename: string, lastModified?: string | number) => ({
      ...{ uploadId: randomUUID(), filename, size: 1 },
      ...(lastModified !== undefined && { lastModified }),
    })
    const files = [describeFile('a', DATE), describeFile('b', MILLISECONDS), describeFile('c')]
    const { results } = (await user.client.sendFiles(files, 'abc')).body
    expect(results?.map(({ file }) => file?.modifiedAt)).toEqual([DATE, DATE, now()])
  })

  it('is stored for a vault file', async () => {
    const file = await user.client.upload('a.txt', 'x', { isEncrypted: true, lastModified: DATE })
    expect(file).toMatchObject({ isEncrypted: true, modifiedAt: DATE })
    expect(await listIn(null, true)).toMatchObject([{ modifiedAt: DATE }])
  })

  it('replaces that of the file that it replaces', async () => {
    const { id } = await user.client.upload('a.txt', 'x', { lastModified: DATE })
    app.clock.advance(60_000)
    const replaced = await user.client.upload('a.txt', 'y', { onConflict: 'replace', lastModified: OLDER })
    expect(replaced).toMatchObject({ id, modifiedAt: OLDER, updatedAt: now() })
    expect(await user.client.upload('a.txt', 'z', { onConflict: 'replace' })).toMatchObject({ id, modifiedAt: now() })
  })

  it('is in the error if the name is taken', async () => {
    await user.client.upload('a.txt', 'x', { lastModified: DATE })
    await makeFolder('b')
    const refuse = async (filename: string) => {
      const fields = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, onConflict: 'fail' }
      return (await user.client.sendChunk({ ...fields, complete: true }, 'y')).body.existing
    }
    expect(await refuse('a.txt')).toEqual({ type: 'file', size: 1, updatedAt: now(), modifiedAt: DATE })
    expect(await refuse('b')).toEqual({ type: 'folder', size: 0, updatedAt: now() })
  })
})

describe('the modification date of a file', () => {
  it('stays when the file is renamed, moved, trashed and restored', async () => {
    const { id } = await user.client.upload('a.txt', 'x', { lastModified: DATE })
    const folder = await makeFolder('f')
    app.clock.advance(60_000)
    expect((await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'b.txt' })).body.modifiedAt).toBe(DATE)
    await user.client.call(moveFile, { fileId: id, targetFolderId: folder.id })
    await user.client.call(moveItems, { itemIds: [id] })
    expect(await dateOf(id)).toBe(DATE)
    await trash(id, 'file')
    expect((await user.client.call(listTrash, {})).body.files).toMatchObject([{ modifiedAt: DATE }])
    expect((await user.client.call(restoreFile, { id })).body.modifiedAt).toBe(DATE)
  })

  it('is copied, while folders have none', async () => {
    const folder = await makeFolder('f')
    await user.client.upload('a.txt', 'x', { lastModified: DATE, folderId: folder.id })
    app.clock.advance(60_000)
    const { itemIds } = (await user.client.call(copyItems, { itemIds: [folder.id] })).body
    expect(await listIn(itemIds[0])).toMatchObject([{ modifiedAt: DATE, createdAt: now() }])
    for (const item of await listIn()) expect(item).not.toHaveProperty('modifiedAt')
  })

  it('is in favorites, media lists and public links', async () => {
    const { id } = await user.client.upload('a.mp3', 'x', { lastModified: DATE })
    await user.client.call(addFavorite, { itemType: 'file', itemId: id })
    expect((await user.client.call(listFavorites, {})).body).toMatchObject([{ item: { modifiedAt: DATE } }])
    expect((await user.client.call(listAudio, {})).body).toMatchObject([{ modifiedAt: DATE }])
    const { link } = (await user.client.call(updatePublicLink, { id, enabled: true })).body
    const token = link.split('/').at(-1) as string
    expect((await app.visitor.call(getPublicItem, { token })).body).toMatchObject({ modifiedAt: DATE })
    const content = await app.visitor.request({ method: 'GET', url: `/api/public/${token}/content` })
    expect(content.headers['last-modified']).toBe('Fri, 06 May 2011 07:08:09 GMT')
  })

  it('is the Last-Modified of downloads and previews', async () => {
    const { id } = await user.client.upload('a.txt', 'x', { lastModified: DATE })
    const { pathname, search } = new URL((await user.client.call(getDownloadUrl, { id })).body.url)
    for (const response of [
      await user.client.raw(fetchFile, { filename: 'a.txt' }),
      await user.client.raw(getUserFile, { filename: 'a.txt' }),
      await app.visitor.request({ method: 'GET', url: pathname + search }),
    ]) {
      expect(response.headers['last-modified']).toBe('Fri, 06 May 2011 07:08:09 GMT')
    }
  })

  it('is in the ZIP of a folder, also in the trash of the data export', async () => {
    const folder = await makeFolder('f')
    const { id } = await user.client.upload('gone.txt', 'x', { lastModified: OLDER })
    await trash(id, 'file')
    await user.client.upload('a.txt', 'x', { lastModified: DATE, folderId: folder.id })
    const folderUrl = (await user.client.call(getDownloadUrl, { id: folder.id })).body.url
    const dataUrl = (await user.client.call(getDataUrl, {})).body.url
    const [zip, data] = await Promise.all(
      [folderUrl, dataUrl].map(async (url) => {
        const { pathname, search } = new URL(url)
        return (await app.visitor.request({ method: 'GET', url: pathname + search })).bytes
      }),
    )
    // The extended time follows the path in the local header.
    const secondsOf = (bytes: Buffer, path: string) => bytes.readInt32LE(bytes.indexOf(path) + path.length + 5)
    expect(secondsOf(zip as Buffer, 'f/a.txt')).toBe(Math.floor(MILLISECONDS / 1000))
    expect(secondsOf(data as Buffer, 'Trash/gone.txt')).toBe(Math.floor(Date.parse(OLDER) / 1000))
  })

  it('returns 304 only for the same date, so that an older file is not taken for the one it replaced', async () => {
    const get = async (since: string) =>
      (await user.client.raw(fetchFile, { filename: 'a.txt' }, { 'if-modified-since': since })).status
    await user.client.upload('a.txt', 'x', { lastModified: DATE })
    const since = new Date(DATE).toUTCString()
    expect(await get(since)).toBe(304)
    await user.client.upload('a.txt', 'y', { lastModified: OLDER, onConflict: 'replace' })
    expect(await get(since)).toBe(200)
    expect(await get(new Date(OLDER).toUTCString())).toBe(304)
    expect(await get('no date')).toBe(200)
  })

  it('sorts files, while folders are sorted by their last change, in pages of any size', async () => {
    for (const [index, name] of ['new', 'middle', 'old'].entries()) {
      await user.client.upload(name, 'x', { lastModified: MILLISECONDS - index })
      await makeFolder(`f ${name}`)
      app.clock.advance(1000)
    }
    await user.client.upload('also middle', 'x', { lastModified: MILLISECONDS - 1 })
    const listAll = async (order: 'asc' | 'desc', limit: number) => {
      const names: string[] = []
      for (let cursor: string | undefined; ; ) {
        const { body } = await user.client.call(listItems, { sort: 'modifiedAt', order, limit, cursor })
        names.push(...body.items.map(({ name }) => name))
        if (body.nextCursor === null) return names
        cursor = body.nextCursor
      }
    }
    for (const limit of [1, 2, 3, 200]) {
      expect(await listAll('desc', limit)).toEqual([
        'f old',
        'f middle',
        'f new',
        'new',
        'also middle',
        'middle',
        'old',
      ])
      expect(await listAll('asc', limit)).toEqual(['f new', 'f middle', 'f old', 'old', 'also middle', 'middle', 'new'])
    }
    const offset = await user.client.call(listItems, { sort: 'modifiedAt', order: 'asc', offset: 4, limit: 2 })
    expect(offset.body.items.map(({ name }) => name)).toEqual(['also middle', 'middle'])
  })
})
