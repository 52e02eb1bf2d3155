import { randomUUID } from 'node:crypto'
import { createFolder, getFolder, listFiles, listRootFolders, renameFile } from '@alcove/contract/files'
import { completeUpload } from '@alcove/contract/uploads'
import { describe, expect, it } from 'vitest'
import { app, download, readStorage, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { findUnusedBytes } from '../../storage/sweep-blobs.ts'

setUpDrive()

describe('uploading a file in one request', () => {
  it('returns the stored file, which is listed and can be downloaded', async () => {
    const file = await user.client.upload('hello.txt', 'hello')
    expect(file).toMatchObject({ filename: 'hello.txt', name: 'hello.txt', size: 5, mimeType: 'text/plain' })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([file])
    expect((await download('hello.txt')).toString()).toBe('hello')
  })

  it('stores an empty file', async () => {
    const file = await user.client.upload('empty.txt', '')
    expect(file).toMatchObject({ size: 0 })
    expect((await download('empty.txt')).length).toBe(0)
  })

  it.each([4, undefined])('stores the file once when the request is repeated (size %s)', async (totalSize) => {
    const whole = { filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: true, onConflict: 'fail' }
    const fields = { ...whole, uploadId: randomUUID(), totalSize }
    const responses = await Promise.all([1, 2, 3].map(() => user.client.sendChunk(fields, 'same')))
    const again = await user.client.sendChunk(fields, 'same')
    expect(again.status).toBe(201)
    for (const { status } of responses) expect([201, 409]).toContain(status)
    expect((await user.client.call(listFiles, {})).body.files).toHaveLength(1)
    expect(await readStorage()).toEqual({ used_bytes: 4, reserved_bytes: 0 })
    const [file] = (await user.client.call(listFiles, {})).body.files
    await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'b.txt' })
    expect(await user.client.sendChunk(fields, 'same')).toMatchObject({ status: 201, body: { id: file?.id } })
    const stranger = (await app.createUser()).client
    expect((await stranger.sendChunk(fields, 'same')).status).toBe(404)
    const unused: string[] = []
    await findUnusedBytes(app.services, (name) => unused.push(name), { withYoung: true })
    expect(unused).toEqual([])
  })

  it('completes a file that was begun in a chunk of its own', async () => {
    const fields = { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, totalSize: 4 }
    expect((await user.client.sendChunk(fields, 'old.')).status).toBe(200)
    expect((await user.client.sendChunk({ ...fields, complete: true }, 'new.')).status).toBe(201)
    expect((await download('a.txt')).toString()).toBe('new.')
    expect(await readStorage()).toEqual({ used_bytes: 4, reserved_bytes: 0 })
  })

  it('numbers a file only if its exact name is taken', async () => {
    for (const name of ['Photo.jpg', 'photo.JPG', 'photo.jpg', 'photo.jpg']) await user.client.upload(name, name)
    const names = (await user.client.call(listFiles, {})).body.files.map((file) => file.name)
    expect(names.sort()).toEqual(['Photo.jpg', 'photo (1).jpg', 'photo.JPG', 'photo.jpg'])
  })

  it('gives concurrent uploads of one long name different names of at most 255 bytes', async () => {
    const long = `${'ä'.repeat(125)}.txt`
    await Promise.all(Array.from({ length: 12 }, () => user.client.upload(long, 'x')))
    const names = (await user.client.call(listFiles, {})).body.files.map((file) => file.name)
    expect(new Set(names).size).toBe(12)
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  })

  it('replaces the file with the same name and keeps its id', async () => {
    const old = await user.client.upload('a.txt', 'old text')
    const replaced = await user.client.upload('a.txt', 'new', { onConflict: 'replace' })
    expect(replaced).toMatchObject({ id: old.id, size: 3 })
    expect((await download('a.txt')).toString()).toBe('new')
    expect(await readStorage()).toEqual({ used_bytes: 11, reserved_bytes: 0 })
  })

  it('rejects a taken name with onConflict: fail, then completes with keepBoth', async () => {
    await user.client.upload('a.txt', 'old')
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a.txt', chunkIndex: 0, totalChunks: 1 }, 'new')
    const refused = await user.client.call(completeUpload, { uploadId, onConflict: 'fail' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    expect(refused.body.error).toBe('A file or folder named "a.txt" already exists here.')
    expect((await user.client.call(completeUpload, { uploadId })).body).toMatchObject({ name: 'a (1).txt' })
  })
})

describe('uploading a folder', () => {
  it('creates each missing folder once when many files arrive at once', async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `Trip/day ${index % 3}/${index}.txt`)
    await Promise.all(
      paths.map((relativePath) => user.client.upload(relativePath.split('/')[2] as string, 'x', { relativePath })),
    )
    const [trip] = (await user.client.call(listRootFolders, {})).body
    const { subFolders } = (await user.client.call(getFolder, { id: trip?.id as string })).body
    expect(subFolders.map((folder) => folder.name)).toEqual(['day 0', 'day 1', 'day 2'])
    const day = (await user.client.call(getFolder, { id: subFolders[0]?.id as string })).body
    expect(day.files).toHaveLength(10)
    expect(day.path).toEqual([{ id: trip?.id, name: 'Trip' }])
  })

  it('creates the folders of the path below the given parent folder', async () => {
    const parent = (await user.client.call(createFolder, { folderName: 'Here' })).body
    const file = await user.client.upload('a.txt', 'x', {
      parentFolderId: parent.id,
      folderPath: 'b/c',
      relativePath: 'b/c/a.txt',
    })
    const folder = (await user.client.call(getFolder, { id: file.folder_id as string })).body
    expect(folder).toMatchObject({ name: 'c', path: [{ id: parent.id, name: 'Here' }, { name: 'b' }] })
  })

  it.each(['../a.txt', 'a/../../b.txt', '/etc/passwd', 'a//b.txt', './a.txt', 'a/./b', 'a/', 'a/\u0000/b.txt'])(
    'rejects the unsafe relative path %j and stores nothing',
    async (relativePath) => {
      const fields = { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: true }
      const refused = await user.client.sendChunk({ ...fields, relativePath }, 'x')
      expect(refused.status).toBe(400)
      expect((await user.client.call(listFiles, {})).body.files).toEqual([])
      expect((await user.client.call(listRootFolders, {})).body).toEqual([])
    },
  )

  it('rejects a path that leads through a file', async () => {
    await user.client.upload('Trip', 'a file')
    const fields = { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: true }
    const refused = await user.client.sendChunk({ ...fields, relativePath: 'Trip/a.txt' }, 'x')
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  })
})
