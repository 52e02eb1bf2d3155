import '../lib/testing/browser-globals.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../api/api.ts'
import type { Connection } from '../api/connection.ts'
import { type ChunkedUpload, createUploadEnvironment, UploadFailed, uploadInChunks } from './chunked-upload.ts'
import { startUploadServer, type UploadServer } from './testing/upload-server.ts'

let server: UploadServer
beforeEach(async () => {
  server = await startUploadServer()
})
afterEach(() => server.stop())

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

describe('uploadInChunks', () => {
  test('a file of one chunk costs one request', async () => {
    const { upload, content } = setUp(700, 1000)
    const stored = await send(upload)
    expect(stored.size).toBe(700)
    expect(server.requests).toEqual(['chunk 0'])
    expect(server.bytesOf(upload.uploadId)).toEqual(Buffer.from(content))
  })

  test('an empty file is sent as one empty chunk', async () => {
    const { upload } = setUp(0, 1000)
    expect((await send(upload)).size).toBe(0)
    expect(server.requests).toEqual(['chunk 0'])
  })

  test('a large file arrives whole, a few chunks at once, with its size told before', async () => {
    const { upload, content, progress } = setUp(10_500, 1000)
    const stored = await send(upload)
    expect(stored.size).toBe(10_500)
    expect(server.bytesOf(upload.uploadId)).toEqual(Buffer.from(content))
    expect(server.requests.length).toBe(12)
    expect(server.requests.at(-1)).toBe('complete')
    expect(server.state.mostInFlight).toBeGreaterThan(1)
    expect(server.state.mostInFlight).toBeLessThanOrEqual(4)
    expect(server.uploads.get(upload.uploadId)?.fields).toMatchObject({ totalSize: '10500', chunkSize: '1000' })
    expect(progress.at(-1)).toBe(10_500)
  })

  test('progress never claims more than the file has', async () => {
    const { upload, progress } = setUp(10_500, 1000)
    let drops = 3
    server.state.trouble = (request) => (request === 'chunk 4' && drops-- > 0 ? 'drop' : undefined)
    await send(upload)
    expect(Math.max(...progress)).toBe(10_500)
  })

  test('dropped connections and server errors are tried again', async () => {
    const { upload, content } = setUp(3000, 1000)
    const tries = new Map<string, number>()
    server.state.trouble = (request) => {
      const before = tries.get(request) ?? 0
      tries.set(request, before + 1)
      return [{ status: 503 }, 'drop' as const][before]
    }
    await send(upload)
    expect(server.bytesOf(upload.uploadId)).toEqual(Buffer.from(content))
  })

  test('it gives up after five tries and names the chunk', async () => {
    const { upload } = setUp(3000, 1000)
    server.state.trouble = (request) => (request === 'chunk 1' ? { status: 502 } : undefined)
    await expect(send(upload)).rejects.toThrow('Chunk 2 failed')
    expect(server.requests.filter((request) => request === 'chunk 1').length).toBe(5)
  })

  test('a server whose disk is full is not sent the same chunk again', async () => {
    const { upload } = setUp(3000, 1000)
    const body = { error: 'The disk of this server is full.', code: 'storage_full' }
    server.state.trouble = (request) => (request === 'chunk 1' ? { status: 507, body } : undefined)
    await expect(send(upload)).rejects.toMatchObject({ status: 507, text: 'The disk of this server is full.' })
    expect(server.requests.filter((request) => request === 'chunk 1').length).toBe(1)
  })

  test('a failing completion is called by its name', async () => {
    const { upload } = setUp(3000, 1000)
    server.state.trouble = (request) => (request === 'complete' ? 'drop' : undefined)
    await expect(send(upload)).rejects.toThrow('Finalization failed')
  })

  test('being told to come later does not use up the tries', async () => {
    const { upload } = setUp(500, 1000)
    let refusals = 8
    server.state.trouble = () => (refusals-- > 0 ? { status: 429, retryAfter: 0 } : undefined)
    expect((await send(upload)).size).toBe(500)
  })

  test('without a network it waits as long as it takes, and goes on by itself', async () => {
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
    server.state.trouble = (request) => {
      if (request === 'chunk 0') isOnline = false
      return isOnline ? undefined : 'drop'
    }
    const sending = send(upload, connection)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const before = server.requests.length
    server.state.trouble = () => undefined
    isOnline = true
    for (const listener of listeners) listener()
    await sending
    expect(server.requests.length).toBeGreaterThan(before)
    expect(server.bytesOf(upload.uploadId)).toEqual(Buffer.from(content))
    expect(listeners).toEqual([])
  })

  test('a lost answer to the only chunk does not store the file twice', async () => {
    const { upload } = setUp(500, 1000)
    let drops = 1
    server.state.trouble = () => (drops-- > 0 ? 'dropAnswer' : undefined)
    expect((await send(upload)).id).toBe(upload.uploadId)
    expect(server.requests).toEqual(['chunk 0', 'chunk 0', 'complete'])
  })

  test('chunks that the server lost are sent again at completion', async () => {
    const { upload, content } = setUp(3000, 1000)
    let completions = 0
    server.state.trouble = (request) => {
      if (request === 'complete' && ++completions === 1) server.uploads.get(upload.uploadId)?.chunks.delete(1)
      return undefined
    }
    await send(upload)
    expect(server.requests.filter((request) => request === 'chunk 1').length).toBe(2)
    expect(server.bytesOf(upload.uploadId)).toEqual(Buffer.from(content))
  })

  test('an aborted upload goes on later with the chunks that are missing alone', async () => {
    const abort = new AbortController()
    const { upload, content } = setUp(10_000, 1000, { signal: abort.signal })
    server.state.trouble = (request) => {
      if (request === 'chunk 5') abort.abort()
      return undefined
    }
    await expect(send(upload)).rejects.toThrow()
    server.state.trouble = () => undefined
    const there = server.uploads.get(upload.uploadId)?.chunks.size ?? 0
    const before = server.requests.length
    // Four go at once, and the one that was aborted came in.
    expect(there).toBeGreaterThanOrEqual(3)
    const progress: number[] = []
    await send({
      ...upload,
      signal: new AbortController().signal,
      resumes: true,
      onProgress: (sent) => progress.push(sent),
    })
    const sent = server.requests.slice(before)
    expect(sent[0]).toBe('get')
    expect(sent.length).toBe(1 + (10 - there) + 1)
    expect(progress[0]).toBe(there * 1000)
    expect(server.bytesOf(upload.uploadId)).toEqual(Buffer.from(content))
  })

  test('an upload that the server has forgotten starts again', async () => {
    const { upload } = setUp(2500, 1000, { resumes: true })
    expect((await send(upload)).size).toBe(2500)
  })

  test('a completed upload is not sent again', async () => {
    const { upload } = setUp(2500, 1000)
    await send(upload)
    const before = server.requests.length
    expect((await send({ ...upload, resumes: true })).id).toBe(upload.uploadId)
    expect(server.requests.slice(before)).toEqual(['get'])
  })

  test('a lack of room stops it at once with the words of the server', async () => {
    const { upload } = setUp(100_000, 1000)
    const body = { error: 'You need 2 MB more room.', code: 'quota_exceeded' }
    server.state.trouble = () => ({ status: 413, body })
    const failure = await send(upload).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect((failure as ApiError).text).toBe('You need 2 MB more room.')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test('a taken name is refused, and resolved without sending the bytes again', async () => {
    await send(setUp(500, 1000).upload)
    const { upload } = setUp(600, 1000, { onConflict: 'fail' })
    await expect(send(upload)).rejects.toMatchObject({ status: 409, body: { code: 'name_taken' } })
    const before = server.requests.length
    expect((await send({ ...upload, onConflict: 'keepBoth', resumes: true })).size).toBe(600)
    expect(server.requests.slice(before)).toEqual(['get', 'complete'])
  })

  test('a file that can no longer be read fails in words, without retries', async () => {
    const gone = new Blob(['x'])
    gone.slice = () =>
      ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }) as unknown as Blob
    const source = { name: 'a.txt', size: 1, slice: () => gone }
    const { upload } = setUp(1, 1000, { source })
    server.state.trouble = () => 'drop'
    await expect(send(upload)).rejects.toThrow(UploadFailed)
    await expect(send(upload)).rejects.toThrow('can no longer be read')
    expect(server.requests.length).toBe(2)
  })
})
