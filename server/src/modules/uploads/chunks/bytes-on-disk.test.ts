import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { trashFile } from '@alcove/contract/files'
import { MAX_OPEN_UPLOADS, MEBIBYTE } from '@alcove/contract/limits'
import { cancelUpload, completeUpload, createFolderPaths } from '@alcove/contract/uploads'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  app,
  download,
  makeFolder,
  readStorage,
  setUpDrive,
  switchToNewUser,
  user,
} from '../../../testing/factories/drive.ts'
import { findUnusedBytes } from '../../storage/sweep-blobs.ts'

setUpDrive()

const isOnS3 = process.env.ALCOVE_TEST_BLOBS === 's3'

/** Returns the disk space used below the folders where chunks are written. */
async function bytesOnDisk(folder = app.dataDir): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter(
    (entry) => entry.isFile() && /blobs|staging|spool/.test(entry.parentPath) && !/sqlite/.test(entry.name),
  )
  const stats = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  return stats.reduce((sum, { blocks }) => sum + blocks * 512, 0)
}

async function listUnused(): Promise<string[]> {
  const unused: string[] = []
  await findUnusedBytes(app.services, (name) => unused.push(name), { withYoung: true })
  return unused
}

describe('the disk space of uploads', () => {
  it.skipIf(isOnS3)('rejects chunks before writing them when a reservation uses up the quota', async () => {
    await switchToNewUser({ allocatedBytes: 8 * MEBIBYTE })
    const before = await bytesOnDisk()
    const reserving = { uploadId: randomUUID(), filename: 'r', chunkIndex: 0, totalChunks: 2, totalSize: 8 * MEBIBYTE }
    expect((await user.client.sendChunk(reserving, 'x')).status).toBe(200)
    const chunk = randomBytes(2 * MEBIBYTE)
    const attempts = Array.from({ length: 12 }, (_, index) =>
      user.client.sendChunk({ uploadId: randomUUID(), filename: `${index}`, chunkIndex: 0, totalChunks: 2 }, chunk),
    )
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.code]).toEqual([413, 'quota_exceeded'])
    }
    expect((await bytesOnDisk()) - before).toBeLessThan(MEBIBYTE)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 8 * MEBIBYTE })
  })

  it('rejects bytes beyond the announced size', async () => {
    const uploadId = randomUUID()
    const fields = { uploadId, filename: 'a', totalChunks: 3, totalSize: 10, chunkSize: 5 }
    expect((await user.client.sendChunk({ ...fields, chunkIndex: 2 }, 'x')).status).toBe(413)
    expect((await user.client.sendChunk({ ...fields, chunkIndex: 0 }, 'x'.repeat(6))).status).toBe(413)
    expect((await user.client.sendChunk({ ...fields, chunkIndex: 0 }, '12345')).status).toBe(200)
    expect((await user.client.sendChunk({ ...fields, chunkIndex: 1 }, '67890')).status).toBe(200)
    expect((await user.client.sendChunk({ ...fields, chunkIndex: 2 }, '')).status).toBe(200)
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
    expect((await download('a')).toString()).toBe('1234567890')
  })

  it('rejects bytes beyond the announced size when they come before the fields', async () => {
    const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, totalSize: 4 }
    const refused = await user.client.sendChunk(fields, '12345', { chunkFirst: true })
    expect(refused).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })

  it('keeps the space of an aborted chunk reserved until it is resent or cancelled', async () => {
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const uploadId = randomUUID()
    const form = new FormData()
    const fields = { uploadId, filename: 'a', chunkIndex: 0, totalChunks: 2 }
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('chunk', new Blob([randomBytes(3 * MEBIBYTE)]))
    const encoded = new Response(form)
    const body = Buffer.from(await encoded.arrayBuffer())
    const headers = {
      authorization: `Bearer ${user.token}`,
      'content-type': String(encoded.headers.get('content-type')),
      'content-length': body.length,
    }
    const request = http.request(`${address}/api/upload-chunk`, { method: 'POST', headers })
    request.on('error', () => {})
    request.write(body.subarray(0, 2 * MEBIBYTE))
    // The expected bytes are reserved as soon as the chunk begins to arrive.
    await expect.poll(readStorage).toEqual({ used_bytes: 0, reserved_bytes: 3 * MEBIBYTE })
    const closed = new Promise((resolve) => request.once('close', resolve))
    request.destroy()
    await closed
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 3 * MEBIBYTE })
    // The new reservation replaces the old one.
    await expect.poll(async () => (await user.client.sendChunk(fields, randomBytes(MEBIBYTE))).status).toBe(200)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: MEBIBYTE })
    expect((await user.client.call(cancelUpload, { uploadId })).status).toBe(200)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
    await app.services.jobs.runDue()
    expect(await listUnused()).toEqual([])
  })

  it.each([
    ['a smaller one', 30_000, 10],
    ['an equally large one', 500, 500],
    ['a large one', 500, 200_000],
    ['a small one instead of a large one', 200_000, 500],
  ])('keeps nothing of an only chunk that is resent as %s', async (_how, first, second) => {
    const uploadId = randomUUID()
    const fields = { uploadId, filename: 'a', chunkIndex: 0, totalChunks: 1 }
    expect((await user.client.sendChunk(fields, randomBytes(first))).status).toBe(200)
    const bytes = randomBytes(second)
    expect((await user.client.sendChunk(fields, bytes)).body).toEqual({ uploadId, chunkIndex: 0, received: 1 })
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: second })
    expect(await listUnused()).toEqual([])
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
    expect((await download('a')).equals(bytes)).toBe(true)
    expect(await readStorage()).toEqual({ used_bytes: second, reserved_bytes: 0 })
    expect(await listUnused()).toEqual([])
  })

  it('keeps the bytes of one of two requests that send an only chunk at once', async () => {
    const uploadId = randomUUID()
    const fields = { uploadId, filename: 'a', chunkIndex: 0, totalChunks: 1, totalSize: 300 }
    const sent = [randomBytes(300), randomBytes(300)]
    const answers = await Promise.all(sent.map((bytes) => user.client.sendChunk(fields, bytes)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const completed = await Promise.all([1, 2].map(() => user.client.call(completeUpload, { uploadId })))
    expect(new Set(completed.map(({ body }) => body.id)).size).toBe(1)
    const stored = await download('a')
    expect(sent.some((bytes) => bytes.equals(stored))).toBe(true)
    expect(await readStorage()).toEqual({ used_bytes: 300, reserved_bytes: 0 })
    expect(await listUnused()).toEqual([])
  })

  it('takes an only chunk again although its name is taken by then, and although its file exists', async () => {
    const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, onConflict: 'fail' }
    expect((await user.client.sendChunk(fields, 'first')).status).toBe(200)
    const other = await user.client.upload('a', 'other')
    expect((await user.client.sendChunk(fields, 'second')).status).toBe(200)
    await user.client.call(trashFile, { id: other.id })
    const { body: file } = await user.client.call(completeUpload, { uploadId: fields.uploadId })
    expect((await download('a')).toString()).toBe('second')
    const late = await user.client.sendChunk(fields, 'third')
    expect(late).toMatchObject({ status: 409, body: { code: 'upload_completed' } })
    const repeated = await user.client.sendChunk({ ...fields, complete: true }, 'second')
    expect(repeated).toMatchObject({ status: 201, body: { id: file.id } })
    expect(await readStorage()).toEqual({ used_bytes: 11, reserved_bytes: 0 })
    expect(await listUnused()).toEqual([])
  })

  it.skipIf(isOnS3)('frees disk space when a long last chunk is resent as a short one', async () => {
    const before = await bytesOnDisk()
    const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 1, totalChunks: 2, chunkSize: 5 }
    expect((await user.client.sendChunk(fields, randomBytes(3 * MEBIBYTE))).status).toBe(200)
    expect((await user.client.sendChunk(fields, 'x')).status).toBe(200)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 1 })
    expect((await bytesOnDisk()) - before).toBeLessThan(MEBIBYTE)
  })

  it('removes a last chunk that arrived first when its upload is cancelled', async () => {
    const uploadId = randomUUID()
    const chunk = randomBytes(100_000)
    expect(
      (await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 1, totalChunks: 2 }, chunk)).status,
    ).toBe(200)
    expect((await user.client.call(cancelUpload, { uploadId })).status).toBe(200)
    await app.services.jobs.runDue()
    expect(await listUnused()).toEqual([])
  })

  it('leaves no unused bytes when completion is repeated after a crash', async () => {
    const uploadId = randomUUID()
    const [first, last] = [randomBytes(70_000), randomBytes(70_000)]
    const fields = { uploadId, filename: 'a', totalChunks: 2 }
    await user.client.sendChunk({ ...fields, chunkIndex: 1 }, last)
    await user.client.sendChunk({ ...fields, chunkIndex: 0 }, first)
    const { blobs } = app.services
    const drop = blobs.dropParkedChunk
    blobs.dropParkedChunk = () => Promise.reject(new Error('crash'))
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(500)
    blobs.dropParkedChunk = drop
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
    expect((await download('a')).equals(Buffer.concat([first, last]))).toBe(true)
    expect(await listUnused()).toEqual([])
  })
})

describe('unfinished uploads', () => {
  it(`limits unfinished uploads to ${MAX_OPEN_UPLOADS} for each user`, async () => {
    const { db } = app.services
    const first = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 2, totalSize: 2 }
    expect((await user.client.sendChunk(first, 'x')).status).toBe(200)
    const row = await db.selectFrom('uploads').selectAll().where('id', '=', first.uploadId).executeTakeFirstOrThrow()
    const others = Array.from({ length: MAX_OPEN_UPLOADS - 1 }, () => ({ ...row, id: randomUUID(), reserved_bytes: 0 }))
    for (let start = 0; start < others.length; start += 100) {
      await db
        .insertInto('uploads')
        .values(others.slice(start, start + 100))
        .execute()
    }
    const refused = await user.client.sendChunk({ ...first, uploadId: randomUUID() }, 'x')
    expect(refused).toMatchObject({ status: 429, body: { error: expect.stringMatching(/1000 unfinished uploads/) } })
    // Existing uploads can continue.
    expect((await user.client.sendChunk({ ...first, chunkIndex: 1 }, 'y')).status).toBe(200)
  })
})

describe('a file declared as unencrypted', () => {
  let folderId: string
  beforeAll(async () => {
    await switchToNewUser({ planName: '2 TB Annually' })
  })

  it('rejects unencrypted files and folders in a vault folder in every call', async () => {
    folderId = (await makeFolder('Secret', undefined, true)).id
    const file = { filename: 'a', folderId, isEncrypted: false }
    const chunk = { ...file, uploadId: randomUUID(), chunkIndex: 0, totalChunks: 1 }
    for (const complete of [true, false]) {
      expect(await user.client.sendChunk({ ...chunk, complete }, 'x')).toMatchObject({
        status: 409,
        body: { code: 'state_conflict' },
      })
    }
    const small = { uploadId: randomUUID(), filename: 'b', size: 1, folderId, isEncrypted: false }
    expect((await user.client.sendFiles([small], 'x')).body.results).toMatchObject([{ status: 409 }])
    const folders = { parentFolderId: folderId, folderPaths: ['x'], isEncrypted: false }
    expect((await user.client.raw(createFolderPaths, folders)).status).toBe(409)
    // An upload that began as encrypted can't be completed as unencrypted.
    const { uploadId } = { uploadId: randomUUID() }
    await user.client.sendChunk({ ...chunk, uploadId, isEncrypted: true }, 'x')
    expect((await user.client.raw(completeUpload, { uploadId, isEncrypted: false })).status).toBe(409)
    expect((await user.client.raw(completeUpload, { uploadId })).status).toBe(201)
  })
})
