import { randomUUID } from 'node:crypto'
import { createFolder, listFiles } from '@alcove/contract/files'
import { MAX_CHUNK_SIZE } from '@alcove/contract/limits'
import { cancelUpload, completeUpload, getUpload } from '@alcove/contract/uploads'
import { describe, expect, it } from 'vitest'
import { app, readStorage, setUpDrive, user } from '../../testing/factories/drive.ts'

setUpDrive()

describe('invalid input of an upload', () => {
  const good = { filename: 'a.txt', chunkIndex: 0, totalChunks: 1 }

  it.each([
    ['a blank name', { filename: '  ' }],
    ['a name with a slash', { filename: 'a/b' }],
    ['a name of 256 bytes', { filename: 'a'.repeat(256) }],
    ['a name with a control character', { filename: 'a\u0007b' }],
    ['a name of two dots', { filename: '..' }],
    ['no upload id', { uploadId: undefined }],
    ['an invalid upload id', { uploadId: 'abc' }],
    ['a chunk index beyond totalChunks', { chunkIndex: 1 }],
    ['a negative chunk index', { chunkIndex: -1 }],
    ['a chunk index that is not a number', { chunkIndex: 'first' }],
    ['zero chunks', { totalChunks: 0 }],
    ['too many chunks', { totalChunks: 10_001 }],
    ['a size in exponent notation', { totalSize: '1e9' }],
    ['an invalid folder id', { folderId: '../../etc' }],
    ['an unknown value of onConflict', { onConflict: 'overwrite' }],
  ])('rejects an upload with %s', async (_what, fields) => {
    for (const chunkFirst of [false, true]) {
      const response = await user.client.sendChunk({ uploadId: randomUUID(), ...good, ...fields }, 'x', { chunkFirst })
      expect(response.status).toBe(400)
      expect(response.body).toMatchObject({ code: 'malformed', error: response.body.message })
    }
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('rejects a form without a chunk, and a JSON body', async () => {
    expect((await user.client.sendChunk({ uploadId: randomUUID(), ...good }, undefined)).status).toBe(400)
    const json = await user.client.request({ method: 'POST', url: '/api/upload-chunk', payload: { ...good } })
    expect(json.status).toBe(400)
  })

  it.each([
    ['that ends in the middle of the chunk', (body: string) => body.slice(0, -60)],
    ['that ends in the middle of a field', (body: string) => body.slice(0, 120)],
    ['that does not contain its boundary', () => 'nothing of the kind'],
    ['that is empty', () => ''],
  ])('rejects a form %s and stores nothing', async (_what, cut) => {
    const fields = { uploadId: randomUUID(), ...good, complete: 'true' }
    const parts = Object.entries(fields).map(
      ([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const chunk =
      '--edge\r\nContent-Disposition: form-data; name="chunk"; filename="b"\r\n\r\nsome bytes that are cut off'
    const response = await user.client.request({
      method: 'POST',
      url: '/api/upload-chunk',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      payload: cut(`${parts.join('')}${chunk}\r\n--edge--\r\n`),
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'malformed' } })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('rejects a content type without a boundary', async () => {
    const headers = { 'content-type': 'multipart/form-data' }
    const response = await user.client.request({ method: 'POST', url: '/api/upload-chunk', headers, payload: 'x' })
    expect(response).toMatchObject({ status: 400, body: { code: 'malformed' } })
  })

  it('rejects a chunk larger than 64 MiB', async () => {
    const fields = { uploadId: randomUUID(), ...good, complete: true }
    const refused = await user.client.sendChunk(fields, Buffer.alloc(MAX_CHUNK_SIZE + 1))
    expect(refused).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })

  it('rejects a changed number of chunks, and a size that differs from the announced one', async () => {
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 0, totalChunks: 2, totalSize: 6 }, 'abc')
    const other = await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 1, totalChunks: 3 }, 'abc')
    expect(other.status).toBe(409)
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 1, totalChunks: 2 }, 'ab')
    const refused = await user.client.call(completeUpload, { uploadId })
    expect(refused).toMatchObject({ status: 409, body: { code: 'size_mismatch' } })
  })

  it("returns 404 for another user's upload in every call", async () => {
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

  it("returns 404 for another user's or an unknown destination folder", async () => {
    const stranger = (await app.createUser()).client
    const theirs = (await stranger.call(createFolder, { folderName: 'Mine' })).body.id
    for (const folderId of [theirs, randomUUID()]) {
      const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, complete: true, folderId }
      expect((await user.client.sendChunk(fields, 'x')).status).toBe(404)
    }
  })

  it('rejects vault uploads on the free plan and accepts them on a paid plan', async () => {
    const free = (await app.createUser()).client
    const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, isEncrypted: true }
    expect(await free.sendChunk(fields, 'x')).toMatchObject({ status: 403, body: { code: 'plan_required' } })
    const file = await user.client.upload('a', 'x', { isEncrypted: true })
    expect(file).toMatchObject({ isEncrypted: true })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
  })
})
