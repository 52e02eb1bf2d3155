import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createFolder, fetchFile, getFolder, getStorage, listFiles, listRootFolders } from '@alcove/contract/files'
import { MAX_CHUNK_SIZE, UPLOAD_TTL } from '@alcove/contract/limits'
import { cancelUpload, completeUpload, getUpload } from '@alcove/contract/uploads'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { whileInFlight } from './chunks-in-flight.ts'
import { sweepUploads } from './sweep-uploads.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

function chunksOf(content: Buffer, size: number): Buffer<ArrayBuffer>[] {
  const chunks: Buffer<ArrayBuffer>[] = []
  for (let start = 0; start < content.length; start += size)
    chunks.push(Buffer.from(content.subarray(start, start + size)))
  return chunks
}

async function sendAll(
  uploadId: string,
  chunks: Buffer<ArrayBuffer>[],
  order: number[],
  fields = {},
  options = {},
): Promise<void> {
  for (const chunkIndex of order) {
    const sent = { uploadId, filename: 'a.bin', chunkIndex, totalChunks: chunks.length, ...fields }
    const answer = await user.client.sendChunk(sent, chunks[chunkIndex], options)
    expect(answer.body).toMatchObject({ uploadId, chunkIndex })
    expect(answer.status).toBe(200)
  }
}

async function download(filename: string, folderId?: string): Promise<Buffer> {
  return (await user.client.raw(fetchFile, { filename, folderId })).bytes
}

async function readStorage() {
  const { used_bytes, reserved_bytes } = (await user.client.call(getStorage, {})).body
  return { used_bytes, reserved_bytes }
}

describe('an upload in chunks', () => {
  const content = randomBytes(25_000)
  const chunks = chunksOf(content, 10_000)

  it.each([
    ['in order', [0, 1, 2], {}],
    ['backwards', [2, 1, 0], {}],
    ['with the last one first and the size announced', [2, 0, 1], { totalSize: 25_000 }],
    ['with the chunk size told', [2, 1, 0], { chunkSize: 10_000 }],
    ['with one sent again', [0, 1, 1, 2, 0], {}],
  ])('becomes the same bytes when its chunks come %s', async (_how, order, fields) => {
    for (const chunkFirst of [false, true]) {
      const uploadId = randomUUID()
      await sendAll(uploadId, chunks, order, fields, { chunkFirst })
      const completed = await user.client.call(completeUpload, { uploadId, filename: `${uploadId}.bin` })
      expect(completed.status).toBe(201)
      expect(completed.body).toMatchObject({ size: 25_000, folder_id: null, type: 'file', isEncrypted: false })
      expect((await download(`${uploadId}.bin`)).equals(content)).toBe(true)
    }
  })

  it('takes chunks that come all at once, each of them twice', async () => {
    const uploadId = randomUUID()
    await Promise.all(
      [0, 1, 2, 2, 1, 0].map((chunkIndex) =>
        user.client.sendChunk({ uploadId, filename: 'b.bin', chunkIndex, totalChunks: 3 }, chunks[chunkIndex]),
      ),
    )
    const completed = await user.client.call(completeUpload, { uploadId })
    expect(completed.status).toBe(201)
    expect((await download('b.bin')).equals(content)).toBe(true)
    expect(await readStorage()).toEqual({ used_bytes: 25_000, reserved_bytes: 0 })
  })

  it('lets the last one win when other bytes are sent again', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    const other = randomBytes(10_000)
    await user.client.sendChunk({ uploadId, filename: 'a.bin', chunkIndex: 1, totalChunks: 3 }, other)
    const shorter = randomBytes(3)
    await user.client.sendChunk({ uploadId, filename: 'a.bin', chunkIndex: 2, totalChunks: 3 }, shorter)
    expect((await user.client.call(completeUpload, { uploadId })).body).toMatchObject({ size: 20_003 })
    expect((await download('a.bin')).equals(Buffer.concat([chunks[0] as Buffer, other, shorter]))).toBe(true)
  })

  it('names the chunks that are missing, and completes once they are there', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [1])
    const refused = await user.client.call(completeUpload, { uploadId })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'upload_incomplete', missing: [0, 2] })
    expect((await user.client.call(getUpload, { uploadId })).body).toEqual({
      uploadId,
      filename: 'a.bin',
      totalChunks: 3,
      received: [1],
    })
    await sendAll(uploadId, chunks, [0, 2])
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
  })

  it('is not whole while a chunk that is there is being written once more', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    const { promise: secondWriter, resolve: finishWriting } = Promise.withResolvers<void>()
    const writing = whileInFlight(uploadId, 1, () => secondWriter)
    expect(await user.client.call(completeUpload, { uploadId })).toMatchObject({ status: 409, body: { missing: [1] } })
    finishWriting()
    await writing
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
  })

  it('gives the same answer when it is completed again, and refuses further chunks', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    const complete = () => user.client.call(completeUpload, { uploadId })
    const answers = [...(await Promise.all(Array.from({ length: 12 }, complete))), await complete()]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const [first] = answers
    for (const { body } of answers) expect(body).toEqual(first?.body)
    expect((await user.client.call(listFiles, {})).body.files).toHaveLength(1)
    const late = await user.client.sendChunk({ uploadId, filename: 'a.bin', chunkIndex: 0, totalChunks: 3 }, chunks[0])
    expect(late).toMatchObject({ status: 409, body: { code: 'upload_completed' } })
    expect((await user.client.call(getUpload, { uploadId })).body).toMatchObject({
      received: [0, 1, 2],
      file: first?.body,
    })
    expect((await user.client.call(cancelUpload, { uploadId })).status).toBe(409)
  })

  it('shows nothing of itself before it is complete', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
    expect((await user.client.raw(fetchFile, { filename: 'a.bin' })).status).toBe(404)
  })

  it('takes a wrong path that no chunk may have another size than the others', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0])
    for (const size of [9_999, 10_001]) {
      const refused = await user.client.sendChunk(
        { uploadId, filename: 'a.bin', chunkIndex: 1, totalChunks: 3 },
        randomBytes(size),
      )
      expect([400, 413]).toContain(refused.status)
    }
    await sendAll(uploadId, chunks, [1, 2])
    await user.client.call(completeUpload, { uploadId })
    expect((await download('a.bin')).equals(content)).toBe(true)
  })
})

describe('a file in one request', () => {
  it('is there with the answer', async () => {
    const file = await user.client.upload('hello.txt', 'hello')
    expect(file).toMatchObject({ filename: 'hello.txt', name: 'hello.txt', size: 5, mimeType: 'text/plain' })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([file])
    expect((await download('hello.txt')).toString()).toBe('hello')
  })

  it('may be empty', async () => {
    const file = await user.client.upload('empty.txt', '')
    expect(file).toMatchObject({ size: 0 })
    expect((await download('empty.txt')).length).toBe(0)
  })

  it('is stored once when the request is sent again', async () => {
    const fields = { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: true }
    const answers = await Promise.all([1, 2, 3].map(() => user.client.sendChunk(fields, 'same')))
    const again = await user.client.sendChunk(fields, 'same')
    expect(again.status).toBe(201)
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect((await user.client.call(listFiles, {})).body.files).toHaveLength(1)
    expect(await readStorage()).toEqual({ used_bytes: 4, reserved_bytes: 0 })
  })

  it('keeps both when the name is taken, also under a name in other case', async () => {
    for (const name of ['Photo.jpg', 'photo.JPG', 'photo.jpg']) await user.client.upload(name, name)
    const names = (await user.client.call(listFiles, {})).body.files.map((file) => file.name)
    expect(names.sort()).toEqual(['Photo.jpg', 'photo (1).JPG', 'photo (2).jpg'])
  })

  it('finds a free name among many at once, for names of 255 bytes too', async () => {
    const long = `${'ä'.repeat(125)}.txt`
    await Promise.all(Array.from({ length: 12 }, () => user.client.upload(long, 'x')))
    const names = (await user.client.call(listFiles, {})).body.files.map((file) => file.name)
    expect(new Set(names).size).toBe(12)
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  })

  it('replaces the file of its name, which keeps its id', async () => {
    const old = await user.client.upload('a.txt', 'old text')
    const replaced = await user.client.upload('A.txt', 'new', { onConflict: 'replace' })
    expect(replaced).toMatchObject({ id: old.id, size: 3 })
    expect((await download('a.txt')).toString()).toBe('new')
    expect(await readStorage()).toEqual({ used_bytes: 3, reserved_bytes: 0 })
  })

  it('is refused on a taken name when asked to, and can then be kept', async () => {
    await user.client.upload('a.txt', 'old')
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a.txt', chunkIndex: 0, totalChunks: 1 }, 'new')
    const refused = await user.client.call(completeUpload, { uploadId, onConflict: 'fail' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    expect(refused.body.error).toBe('A file or folder named "a.txt" already exists here.')
    expect((await user.client.call(completeUpload, { uploadId })).body).toMatchObject({ name: 'a (1).txt' })
  })
})

describe('an upload of a folder', () => {
  it('creates the folders on the way, each once however many files come at once', async () => {
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

  it('goes below the folder it names', async () => {
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
    'is refused when its path climbs, is absolute or has an empty part: %j',
    async (relativePath) => {
      const fields = { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: true }
      const refused = await user.client.sendChunk({ ...fields, relativePath }, 'x')
      expect(refused.status).toBe(400)
      expect((await user.client.call(listFiles, {})).body.files).toEqual([])
      expect((await user.client.call(listRootFolders, {})).body).toEqual([])
    },
  )

  it('does not go through a file', async () => {
    await user.client.upload('Trip', 'a file')
    const fields = { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: true }
    const refused = await user.client.sendChunk({ ...fields, relativePath: 'Trip/a.txt' }, 'x')
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  })
})

describe('bad input', () => {
  const good = { filename: 'a.txt', chunkIndex: 0, totalChunks: 1 }

  it.each([
    ['a blank name', { filename: '  ' }],
    ['a name with a slash', { filename: 'a/b' }],
    ['a name of 256 bytes', { filename: 'a'.repeat(256) }],
    ['a control character', { filename: 'a\u0007b' }],
    ['two dots', { filename: '..' }],
    ['no upload id', { uploadId: undefined }],
    ['an upload id that is none', { uploadId: 'abc' }],
    ['an index outside', { chunkIndex: 1 }],
    ['a negative index', { chunkIndex: -1 }],
    ['an index that is no number', { chunkIndex: 'first' }],
    ['no chunks', { totalChunks: 0 }],
    ['too many chunks', { totalChunks: 10_001 }],
    ['a size that is no number', { totalSize: '1e9' }],
    ['a folder id that is none', { folderId: '../../etc' }],
    ['an unknown way with conflicts', { onConflict: 'overwrite' }],
  ])('refuses %s', async (_what, fields) => {
    for (const chunkFirst of [false, true]) {
      const answer = await user.client.sendChunk({ uploadId: randomUUID(), ...good, ...fields }, 'x', { chunkFirst })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'malformed', error: answer.body.message })
    }
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('refuses a form without a chunk, and what is no form', async () => {
    expect((await user.client.sendChunk({ uploadId: randomUUID(), ...good }, undefined)).status).toBe(400)
    const json = await user.client.request({ method: 'POST', url: '/api/upload-chunk', payload: { ...good } })
    expect(json.status).toBe(400)
  })

  it.each([
    ['that ends in the middle of the chunk', (body: string) => body.slice(0, -60)],
    ['that ends in the middle of a field', (body: string) => body.slice(0, 120)],
    ['without a boundary in it', () => 'nothing of the kind'],
    ['that is empty', () => ''],
  ])('refuses a form %s, and stores nothing', async (_what, cut) => {
    const fields = { uploadId: randomUUID(), ...good, complete: 'true' }
    const parts = Object.entries(fields).map(
      ([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const chunk =
      '--edge\r\nContent-Disposition: form-data; name="chunk"; filename="b"\r\n\r\nsome bytes that are cut off'
    const answer = await user.client.request({
      method: 'POST',
      url: '/api/upload-chunk',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      payload: cut(`${parts.join('')}${chunk}\r\n--edge--\r\n`),
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('refuses a form that names no boundary', async () => {
    const headers = { 'content-type': 'multipart/form-data' }
    const answer = await user.client.request({ method: 'POST', url: '/api/upload-chunk', headers, payload: 'x' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } })
  })

  it('refuses a chunk of more than 64 MiB', async () => {
    const fields = { uploadId: randomUUID(), ...good, complete: true }
    const refused = await user.client.sendChunk(fields, Buffer.alloc(MAX_CHUNK_SIZE + 1))
    expect(refused).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })

  it('refuses another number of chunks, and another size than was announced', async () => {
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 0, totalChunks: 2, totalSize: 6 }, 'abc')
    const other = await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 1, totalChunks: 3 }, 'abc')
    expect(other.status).toBe(409)
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 1, totalChunks: 2 }, 'ab')
    const refused = await user.client.call(completeUpload, { uploadId })
    expect(refused).toMatchObject({ status: 409, body: { code: 'size_mismatch' } })
  })

  it('is nobody’s business but the owner’s', async () => {
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 0, totalChunks: 2 }, 'abc')
    const stranger = (await app.createUser()).client
    expect((await stranger.sendChunk({ uploadId, filename: 'a', chunkIndex: 1, totalChunks: 2 }, 'abc')).status).toBe(
      404,
    )
    expect((await stranger.call(getUpload, { uploadId })).status).toBe(404)
    expect((await stranger.call(completeUpload, { uploadId })).status).toBe(404)
    expect((await stranger.call(cancelUpload, { uploadId })).status).toBe(404)
    expect((await user.client.call(getUpload, { uploadId })).body.received).toEqual([0])
  })

  it('takes no folder that is another’s or not there', async () => {
    const stranger = (await app.createUser()).client
    const theirs = (await stranger.call(createFolder, { folderName: 'Mine' })).body.id
    for (const folderId of [theirs, randomUUID()]) {
      const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, complete: true, folderId }
      expect((await user.client.sendChunk(fields, 'x')).status).toBe(404)
    }
  })

  it('keeps the vault to paid plans', async () => {
    const free = (await app.createUser()).client
    const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, isEncrypted: true }
    expect(await free.sendChunk(fields, 'x')).toMatchObject({ status: 403, body: { code: 'plan_required' } })
    const file = await user.client.upload('a', 'x', { isEncrypted: true })
    expect(file).toMatchObject({ isEncrypted: true })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
  })
})

describe('the quota', () => {
  it('is told before the first byte when the size is announced, with what is missing', async () => {
    user = await app.createUser({ allocatedBytes: 2_000_000 })
    for (const complete of [false, true]) {
      const totalSize = 2_000_500
      const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, totalSize, complete }
      const refused = await user.client.sendChunk(fields, 'x')
      expect(refused).toMatchObject({ status: 413, body: { code: 'quota_exceeded', missingBytes: 500 } })
    }
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('ends an unannounced upload half-way, and what is there can still be cancelled', async () => {
    user = await app.createUser({ allocatedBytes: 1000 })
    const uploadId = randomUUID()
    const send = (chunkIndex: number) =>
      user.client.sendChunk({ uploadId, filename: 'a', chunkIndex, totalChunks: 3 }, 'x'.repeat(400))
    expect((await send(0)).status).toBe(200)
    expect((await send(1)).status).toBe(200)
    expect(await send(2)).toMatchObject({ status: 413, body: { code: 'quota_exceeded', missingBytes: 200 } })
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 800 })
    expect((await user.client.call(cancelUpload, { uploadId })).status).toBe(200)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('cannot be passed by many at once', async () => {
    user = await app.createUser({ allocatedBytes: 1000 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        user.client.sendChunk(
          { uploadId: randomUUID(), filename: `${index}`, chunkIndex: 0, totalChunks: 1, complete: true },
          'x'.repeat(150),
        ),
      ),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(6)
    expect(await readStorage()).toEqual({ used_bytes: 900, reserved_bytes: 0 })
  })

  it('lets a replacement in that fits once the old bytes are gone', async () => {
    user = await app.createUser({ allocatedBytes: 1000 })
    await user.client.upload('a', 'x'.repeat(900))
    await user.client.upload('a', 'y'.repeat(950), { onConflict: 'replace' })
    expect(await readStorage()).toEqual({ used_bytes: 950, reserved_bytes: 0 })
  })
})

describe('what is left over', () => {
  it('goes when an unfinished upload expires after seven days', async () => {
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 0, totalChunks: 2, totalSize: 6 }, 'abc')
    const { blob_key } = await app.services.db
      .selectFrom('uploads')
      .select('blob_key')
      .where('id', '=', uploadId)
      .executeTakeFirstOrThrow()
    app.clock.advance(UPLOAD_TTL - 1000)
    await sweepUploads(app.services)
    expect((await app.services.db.selectFrom('uploads').select('id').where('id', '=', uploadId).execute()).length).toBe(
      1,
    )
    app.clock.advance(2000)
    await sweepUploads(app.services)
    await app.services.jobs.runDue()
    expect((await app.services.db.selectFrom('uploads').select('id').where('id', '=', uploadId).execute()).length).toBe(
      0,
    )
    await expect(app.services.blobs.seal(blob_key, 0)).rejects.toThrow(/ENOENT/)
  })

  it('leaves no bytes behind when a replaced file or a cancelled upload goes', async () => {
    const content = randomBytes(2000)
    await user.client.upload('a', Buffer.from(content))
    const old = await app.services.db
      .selectFrom('items')
      .select('blob_key')
      .where('owner_id', '=', user.id)
      .where('name', '=', 'a')
      .executeTakeFirstOrThrow()
    await user.client.upload('a', 'new', { onConflict: 'replace' })
    await app.services.jobs.runDue()
    await expect(app.services.blobs.seal(old.blob_key as string, 0)).rejects.toThrow(/ENOENT/)
    expect(
      createHash('sha256')
        .update(await download('a'))
        .digest('hex'),
    ).toBe(createHash('sha256').update('new').digest('hex'))
  })
})
