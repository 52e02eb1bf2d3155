import { randomUUID } from 'node:crypto'
import { createFolder, listFiles } from '@alcove/contract/files'
import { MAX_CHUNK_SIZE } from '@alcove/contract/limits'
import { cancelUpload, completeUpload, getUpload } from '@alcove/contract/uploads'
import { describe, expect, it } from 'vitest'
import { app, readStorage, setUpDrive, user } from '../../testing/factories/drive.ts'

setUpDrive()

describe('bad input of an upload', () => {
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
      const response = await user.client.sendChunk({ uploadId: randomUUID(), ...good, ...fields }, 'x', { chunkFirst })
      expect(response.status).toBe(400)
      expect(response.body).toMatchObject({ code: 'malformed', error: response.body.message })
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

  it('refuses a form that names no boundary', async () => {
    const headers = { 'content-type': 'multipart/form-data' }
    const response = await user.client.request({ method: 'POST', url: '/api/upload-chunk', headers, payload: 'x' })
    expect(response).toMatchObject({ status: 400, body: { code: 'malformed' } })
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
