import { randomBytes, randomUUID } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import { listFiles } from '@alcove/contract/files'
import { cancelUpload, completeUpload, getUpload } from '@alcove/contract/uploads'
import { describe, expect, it, vi } from 'vitest'
import { app, download, readStorage, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { whileInFlight } from './chunks-in-flight.ts'

setUpDrive()

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
    const response = await user.client.sendChunk(sent, chunks[chunkIndex], options)
    expect(response.body).toMatchObject({ uploadId, chunkIndex })
    expect(response.status).toBe(200)
  }
}

describe('uploading a file in chunks', () => {
  const content = randomBytes(25_000)
  const chunks = chunksOf(content, 10_000)

  it.each([
    ['in order', [0, 1, 2], {}],
    ['backwards', [2, 1, 0], {}],
    ['with the last one first and the size announced', [2, 0, 1], { totalSize: 25_000 }],
    ['with an announced chunk size', [2, 1, 0], { chunkSize: 10_000 }],
    ['with some sent twice', [0, 1, 1, 2, 0], {}],
  ])('stores the same bytes when the chunks arrive %s', async (_how, order, fields) => {
    for (const chunkFirst of [false, true]) {
      const uploadId = randomUUID()
      await sendAll(uploadId, chunks, order, fields, { chunkFirst })
      const completed = await user.client.call(completeUpload, { uploadId, filename: `${uploadId}.bin` })
      expect(completed.status).toBe(201)
      expect(completed.body).toMatchObject({ size: 25_000, folder_id: null, type: 'file', isEncrypted: false })
      expect((await download(`${uploadId}.bin`)).equals(content)).toBe(true)
    }
  })

  it('accepts chunks that arrive all at once, each of them twice', async () => {
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

  it('keeps the latest bytes when a chunk is resent with different bytes', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    const other = randomBytes(10_000)
    await user.client.sendChunk({ uploadId, filename: 'a.bin', chunkIndex: 1, totalChunks: 3 }, other)
    const shorter = randomBytes(3)
    await user.client.sendChunk({ uploadId, filename: 'a.bin', chunkIndex: 2, totalChunks: 3 }, shorter)
    expect((await user.client.call(completeUpload, { uploadId })).body).toMatchObject({ size: 20_003 })
    expect((await download('a.bin')).equals(Buffer.concat([chunks[0] as Buffer, other, shorter]))).toBe(true)
  })

  it('lists missing chunks and completes once they have arrived', async () => {
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

  it('does not complete while a received chunk is being written again', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    const { promise: secondWriter, resolve: finishWriting } = Promise.withResolvers<void>()
    const writing = whileInFlight(uploadId, 1, { hurry: () => {} }, () => secondWriter)
    expect(await user.client.call(completeUpload, { uploadId })).toMatchObject({ status: 409, body: { missing: [1] } })
    finishWriting()
    await writing
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
  })

  it('does not complete when a chunk begins again after all were found', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    const { blobs } = app.services
    const seal = vi.spyOn(blobs, 'seal').mockImplementationOnce(async (...given) => {
      // More bytes than a chunk of this upload may have, so the chunk that was there is missing now.
      const again = { uploadId, filename: 'a.bin', chunkIndex: 1, totalChunks: 3 }
      expect((await user.client.sendChunk(again, Buffer.alloc(20_000))).status).not.toBe(200)
      return blobs.seal(...given)
    })
    expect(await user.client.call(completeUpload, { uploadId })).toMatchObject({ status: 409, body: { missing: [1] } })
    seal.mockRestore()
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
    await sendAll(uploadId, chunks, [1])
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
    expect((await download('a.bin')).equals(content)).toBe(true)
  })

  it('rejects a chunk whose bytes went to a blob that the upload no longer has', async () => {
    const uploadId = randomUUID()
    // Too large to be stored at once.
    const only = randomBytes(300_000)
    const sent = { uploadId, filename: 'only.bin', chunkIndex: 0, totalChunks: 1, totalSize: only.length }
    const send = () => user.client.sendChunk(sent, only)
    const { blobs } = app.services
    const write = blobs.writeChunk.bind(blobs)
    const [written, resent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writing = vi.spyOn(blobs, 'writeChunk').mockImplementationOnce(async (...chunk) => {
      const size = await write(...chunk)
      written.resolve()
      await resent.promise
      return size
    })
    const first = send()
    await written.promise
    expect((await send()).status).toBe(200)
    // Gives the upload another blob, and ends before its bytes arrive.
    writing.mockRejectedValueOnce(new Error('the client has disconnected'))
    expect((await send()).status).not.toBe(200)
    resent.resolve()
    expect(await first).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    writing.mockRestore()
    const incomplete = await user.client.call(completeUpload, { uploadId })
    expect(incomplete.body).toMatchObject({ code: 'upload_incomplete', missing: [0] })
    expect((await send()).status).toBe(200)
    expect((await user.client.call(completeUpload, { uploadId })).status).toBe(201)
    expect((await download('only.bin')).equals(only)).toBe(true)
  })

  it('returns the same file when completed again and rejects further chunks', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    const complete = () => user.client.call(completeUpload, { uploadId })
    const responses = [...(await Promise.all(Array.from({ length: 12 }, complete))), await complete()]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201))
    const [first] = responses
    for (const { body } of responses) expect(body).toEqual(first?.body)
    expect((await user.client.call(listFiles, {})).body.files).toHaveLength(1)
    const late = await user.client.sendChunk({ uploadId, filename: 'a.bin', chunkIndex: 0, totalChunks: 3 }, chunks[0])
    expect(late).toMatchObject({ status: 409, body: { code: 'upload_completed' } })
    expect((await user.client.call(getUpload, { uploadId })).body).toMatchObject({
      received: [0, 1, 2],
      file: first?.body,
    })
    expect((await user.client.call(cancelUpload, { uploadId })).status).toBe(409)
  })

  it('hides the file until the upload is complete', async () => {
    const uploadId = randomUUID()
    await sendAll(uploadId, chunks, [0, 1, 2])
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
    expect((await user.client.raw(fetchFile, { filename: 'a.bin' })).status).toBe(404)
  })

  it('rejects a chunk whose size differs from the others', async () => {
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
