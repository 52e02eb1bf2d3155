import '../lib/testing/browser-globals.ts'
import { getUpload } from '@alcove/contract/uploads'
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../api/api.ts'
import type { Connection } from '../api/connection.ts'
import { type ChunkedUpload, createUploadEnvironment, UploadFailed, uploadInChunks } from './chunked-upload.ts'
import { server, setUpServer } from './testing/test-server.ts'

setUpServer()

function setUp(bytes: number, chunkSize: number, changes: Partial<ChunkedUpload> = {}) {
  const content = new Uint8Array(bytes).map((_, index) => index % 251)
  const progress: number[] = []
  const upload: ChunkedUpload = {
    uploadId: crypto.randomUUID(),
    source: new File([content], 'Itinerary.pdf'),
    destination: {},
    plan: { size: bytes, chunkSize, totalChunks: Math.max(1, Math.ceil(bytes / chunkSize)) },
    signal: new AbortController().signal,
    onProgress: (sent) => progress.push(sent),
    ...changes,
  }
  return { content, upload, progress }
}

const online: Connection = { isOnline: () => true, subscribe: () => () => {} }

function send(upload: ChunkedUpload, connection = online) {
  return uploadInChunks(upload, createUploadEnvironment({ transport: server.transport, connection, firstDelay: 1 }))
}

/** Makes the server forget a chunk, by sending it again with too many bytes. */
async function breakChunk({ uploadId, source, plan }: ChunkedUpload, chunkIndex: number): Promise<void> {
  const { size: totalSize, chunkSize, totalChunks } = plan
  const fields = { uploadId, filename: source.name, chunkIndex, totalChunks, totalSize, chunkSize }
  const refused = await server.user.client.sendChunk(fields, 'x'.repeat(chunkSize + 1))
  expect(refused.body.code).toBe('too_large')
}

describe('uploadInChunks', () => {
  test('sends a file of one chunk in one request', async () => {
    const { upload, content } = setUp(700, 1000)
    const stored = await send(upload)
    expect(stored.size).toBe(700)
    expect(server.requests).toEqual(['chunk 0'])
    expect(await server.download(stored)).toEqual(Buffer.from(content))
  })

  test('sends an empty file as one empty chunk', async () => {
    const { upload } = setUp(0, 1000)
    expect((await send(upload)).size).toBe(0)
    expect(server.requests).toEqual(['chunk 0'])
  })

  test.each([
    ['one chunk', 1000],
    ['several chunks', 300],
  ])('sends the modification date of a file with %s', async (_what, chunkSize) => {
    const { upload, content } = setUp(700, chunkSize)
    const source = new File([content], 'Itinerary.pdf', { lastModified: Date.UTC(2011, 4, 6, 7, 8, 9, 123) })
    expect((await send({ ...upload, source })).modifiedAt).toBe('2011-05-06T07:08:09.123Z')
  })

  test('completes an upload that was begun without a date with the date of the file', async () => {
    const { upload, content } = setUp(700, 300)
    const { uploadId, plan } = upload
    const fields = { uploadId, filename: 'Itinerary.pdf', totalChunks: plan.totalChunks, totalSize: plan.size }
    const begun = await server.user.client.sendChunk({ ...fields, chunkIndex: 0 }, content.slice(0, 300))
    expect(begun.status).toBe(200)
    const source = new File([content], 'Itinerary.pdf', { lastModified: 1000 })
    expect((await send({ ...upload, source, resumes: true })).modifiedAt).toBe('1970-01-01T00:00:01.000Z')
  })

  test.each([
    ['before 1970', -1],
    ['after 9999', Date.UTC(10_000, 0, 1)],
  ])('leaves out a modification date %s, so that the file is stored', async (_what, lastModified) => {
    const { upload, content } = setUp(700, 300)
    const stored = await send({ ...upload, source: new File([content], 'Itinerary.pdf', { lastModified }) })
    expect(stored.modifiedAt).toBe(stored.createdAt)
  })

  test('sends a large file in a few parallel chunks after announcing its size', async () => {
    const { upload, content, progress } = setUp(10_500, 1000)
    const stored = await send(upload)
    expect(stored.size).toBe(10_500)
    expect(await server.download(stored)).toEqual(Buffer.from(content))
    expect(server.requests.length).toBe(12)
    expect(server.requests.at(-1)).toBe('complete')
    expect(server.mostInFlight).toBeGreaterThan(1)
    expect(server.mostInFlight).toBeLessThanOrEqual(4)
    expect(await server.listUploads()).toMatchObject([{ id: upload.uploadId, total_size: 10_500, chunk_size: 1000 }])
    expect(progress.at(-1)).toBe(10_500)
  })

  test('never reports more progress than the size of the file', async () => {
    const { upload, progress } = setUp(10_500, 1000)
    let drops = 3
    server.fault = (request) => (request === 'chunk 4' && drops-- > 0 ? 'drop' : undefined)
    await send(upload)
    expect(Math.max(...progress)).toBe(10_500)
  })

  test('retries after dropped connections and server errors', async () => {
    const { upload, content } = setUp(3000, 1000)
    const tries = new Map<string, number>()
    server.fault = (request) => {
      const before = tries.get(request) ?? 0
      tries.set(request, before + 1)
      return [{ status: 503 }, 'drop' as const][before]
    }
    const stored = await send(upload)
    expect(await server.download(stored)).toEqual(Buffer.from(content))
  })

  test('fails after five attempts with an error that names the chunk', async () => {
    const { upload } = setUp(3000, 1000)
    server.fault = (request) => (request === 'chunk 1' ? { status: 502 } : undefined)
    await expect(send(upload)).rejects.toThrow('Chunk 2 failed')
    expect(server.requests.filter((request) => request === 'chunk 1').length).toBe(5)
  })

  test('does not send a chunk again when the disk of the server is full', async () => {
    const { upload } = setUp(3000, 1000)
    const body = { error: 'The disk of this server is full.', code: 'storage_full' }
    server.fault = (request) => (request === 'chunk 1' ? { status: 507, body } : undefined)
    await expect(send(upload)).rejects.toMatchObject({ status: 507, text: 'The disk of this server is full.' })
    expect(server.requests.filter((request) => request === 'chunk 1').length).toBe(1)
  })

  test('reports that the completion has failed', async () => {
    const { upload } = setUp(3000, 1000)
    server.fault = (request) => (request === 'complete' ? 'drop' : undefined)
    await expect(send(upload)).rejects.toThrow('Finalization failed')
  })

  test('does not count Retry-After responses as attempts', async () => {
    const { upload } = setUp(500, 1000)
    let refusals = 8
    server.fault = () => (refusals-- > 0 ? { status: 429, retryAfter: 0 } : undefined)
    expect((await send(upload)).size).toBe(500)
  })

  test('waits without a network and continues by itself when it is back', async () => {
    const { upload, content } = setUp(2500, 1000)
    let isOnline = true
    let listeners: (() => void)[] = []
    const connection: Connection = {
      isOnline: () => isOnline,
      subscribe: (listener) => {
        listeners.push(listener)
        return () => {
          listeners = listeners.filter((other) => other !== listener)
        }
      },
    }
    server.fault = (request) => {
      if (request === 'chunk 0') isOnline = false
      return isOnline ? undefined : 'drop'
    }
    const sending = send(upload, connection)
    // Both lanes wait for the network, and no retry is scheduled.
    await vi.waitFor(() => expect(listeners).toHaveLength(2))
    expect(server.requests).toEqual(['chunk 0', 'chunk 1'])
    server.fault = () => undefined
    isOnline = true
    for (const listener of listeners) listener()
    const stored = await sending
    expect(server.requests.length).toBeGreaterThan(2)
    expect(await server.download(stored)).toEqual(Buffer.from(content))
    expect(listeners).toEqual([])
  })

  test('does not store a file twice when the response to its only chunk is lost', async () => {
    const { upload, content } = setUp(500, 1000)
    let drops = 1
    server.fault = () => (drops-- > 0 ? 'dropResponse' : undefined)
    const stored = await send(upload)
    expect(server.requests).toEqual(['chunk 0', 'chunk 0'])
    expect(await server.listUploads()).toMatchObject([{ id: upload.uploadId, item_id: stored.id }])
    expect(await server.listPaths()).toEqual(['Itinerary.pdf'])
    expect(await server.download(stored)).toEqual(Buffer.from(content))
  })

  test('requests the stored file when the server reports that the upload is already complete', async () => {
    const { upload } = setUp(500, 1000)
    const faults = ['dropResponse' as const, { status: 409, body: { error: 'Complete.', code: 'upload_completed' } }]
    server.fault = () => faults.shift()
    const stored = await send(upload)
    expect(server.requests).toEqual(['chunk 0', 'chunk 0', 'complete'])
    expect(await server.listUploads()).toMatchObject([{ id: upload.uploadId, item_id: stored.id }])
    expect(await server.listPaths()).toEqual(['Itinerary.pdf'])
  })

  test('sends chunks again that the server reports as missing at completion', async () => {
    const { upload, content } = setUp(3000, 1000)
    let completions = 0
    server.fault = async (request) => {
      if (request === 'complete' && ++completions === 1) await breakChunk(upload, 1)
      return undefined
    }
    const stored = await send(upload)
    expect(server.requests.filter((request) => request === 'chunk 1').length).toBe(2)
    expect(completions).toBe(2)
    expect(await server.download(stored)).toEqual(Buffer.from(content))
  })

  test('resumes an aborted upload by sending only the missing chunks', async () => {
    const abort = new AbortController()
    const { upload, content } = setUp(10_000, 1000, { signal: abort.signal })
    server.fault = (request) => {
      if (request === 'chunk 5') abort.abort()
      return undefined
    }
    await expect(send(upload)).rejects.toThrow()
    await server.untilIdle()
    server.fault = () => undefined
    const { received } = (await server.user.client.call(getUpload, { uploadId: upload.uploadId })).body
    const there = received.length
    const before = server.requests.length
    // Up to four chunks were in flight, and they arrived although the client had aborted.
    expect(there).toBeGreaterThanOrEqual(3)
    expect(there).toBeLessThan(10)
    const progress: number[] = []
    const stored = await send({
      ...upload,
      signal: new AbortController().signal,
      resumes: true,
      onProgress: (sent) => progress.push(sent),
    })
    const sent = server.requests.slice(before)
    expect(sent[0]).toBe('get')
    expect(sent.length).toBe(1 + (10 - there) + 1)
    expect(progress[0]).toBe(there * 1000)
    expect(await server.download(stored)).toEqual(Buffer.from(content))
  })

  test('restarts an upload that the server no longer has', async () => {
    const { upload } = setUp(2500, 1000, { resumes: true })
    expect((await send(upload)).size).toBe(2500)
  })

  test('does not send a completed upload again', async () => {
    const { upload } = setUp(2500, 1000)
    const stored = await send(upload)
    const before = server.requests.length
    expect(await send({ ...upload, resumes: true })).toEqual(stored)
    expect(server.requests.slice(before)).toEqual(['get'])
  })

  test('stops at once with the message of the server when the storage limit is reached', async () => {
    await server.setAllocation(10_000)
    const { upload } = setUp(100_000, 1000)
    const failure = await send(upload).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 413, body: { code: 'quota_exceeded', missingBytes: 90_000 } })
    expect((failure as ApiError).text).toContain('87.89 KB')
    await server.untilIdle()
    expect(await server.listUploads()).toEqual([])
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test('sends a file of one chunk again to keep both after its name was refused as taken', async () => {
    await send(setUp(500, 1000).upload)
    const { upload } = setUp(600, 1000, { onConflict: 'fail' })
    await expect(send(upload)).rejects.toMatchObject({ status: 409, body: { code: 'name_taken' } })
    const before = server.requests.length
    expect(await send({ ...upload, onConflict: 'keepBoth', resumes: true })).toMatchObject({
      ...{ name: 'Itinerary (1).pdf', size: 600 },
    })
    expect(server.requests.slice(before)).toEqual(['get', 'chunk 0'])
  })

  test('resolves a name that was taken during the upload without sending the bytes again', async () => {
    const { upload } = setUp(1600, 1000, { onConflict: 'fail' })
    server.fault = async (request) => {
      if (request === 'complete') await server.user.client.upload('Itinerary.pdf', 'another file')
      return undefined
    }
    await expect(send(upload)).rejects.toMatchObject({ status: 409, body: { code: 'name_taken' } })
    server.fault = () => undefined
    const before = server.requests.length
    expect((await send({ ...upload, onConflict: 'keepBoth', resumes: true })).size).toBe(1600)
    expect(server.requests.slice(before)).toEqual(['get', 'complete'])
    expect(await server.listPaths()).toEqual(['Itinerary (1).pdf', 'Itinerary.pdf'])
  })

  test('reports a file that can no longer be read, without retries', async () => {
    const gone = new Blob(['x'])
    gone.slice = () =>
      ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }) as unknown as Blob
    const source = { name: 'a.txt', size: 1, slice: () => gone }
    const { upload } = setUp(1, 1000, { source })
    server.fault = () => 'drop'
    await expect(send(upload)).rejects.toThrow(UploadFailed)
    await expect(send(upload)).rejects.toThrow('can no longer be read')
    expect(server.requests.length).toBe(2)
  })
})
