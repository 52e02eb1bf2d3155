import '../lib/testing/browser-globals.ts'
import { MAX_BYTES_TOGETHER, MAX_FILES_TOGETHER, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ApiError } from '../api/api.ts'
import { createRequestSlots } from './concurrency.ts'
import { isSmallFile } from './planner.ts'
import { createSmallFileSender } from './small-files.ts'
import { startUploadServer, type UploadServer } from './testing/upload-server.ts'
import type { ChunkFields } from './transport.ts'

let server: UploadServer
beforeEach(async () => {
  server = await startUploadServer()
})
afterEach(() => server.stop())

interface Sent {
  fields: ChunkFields
  content: string
  chunk?: Blob
  signal?: AbortSignal
  onProgress?: (bytes: number) => void
}

const fieldsOf = (filename: string, totalSize: number): ChunkFields => ({
  uploadId: crypto.randomUUID(),
  filename,
  chunkIndex: 0,
  totalChunks: 1,
  totalSize,
  chunkSize: 5_000_000,
  relativePath: `Trip/${filename}`,
  complete: true,
})

const filesOf = (count: number, content = (index: number) => `content ${index}`): Sent[] =>
  Array.from({ length: count }, (_, index) => ({
    fields: fieldsOf(`${index}.txt`, content(index).length),
    content: content(index),
  }))

function sendAll(files: readonly Sent[]) {
  const sender = createSmallFileSender(server.transport, createRequestSlots())
  return Promise.allSettled(
    files.map(({ fields, content, chunk, signal, onProgress }) =>
      sender.send(fields, chunk ?? new Blob([content]), {
        signal: signal ?? new AbortController().signal,
        onProgress: onProgress ?? (() => {}),
      }),
    ),
  )
}

const assertStored = (files: readonly Sent[]) => {
  for (const { fields, content } of files) expect(server.bytesOf(fields.uploadId).toString()).toBe(content)
}

/** How many files came together, by request; alone counts as 1. */
const sizes = () => server.requests.map((label) => (label.startsWith('files') ? Number(label.split(' ')[1]) : 1))

describe('small files', () => {
  test('few go by themselves, each at once', async () => {
    const files = filesOf(4)
    await sendAll(files)
    assertStored(files)
    expect(server.requests).toEqual(['chunk 0', 'chunk 0', 'chunk 0', 'chunk 0'])
  })

  test('many go together, whole and in few requests, and each is answered with its own file', async () => {
    const files = filesOf(450)
    const outcomes = await sendAll(files)
    assertStored(files)
    expect(
      outcomes.map((outcome) => outcome.status === 'fulfilled' && 'id' in outcome.value && outcome.value.id),
    ).toEqual(files.map(({ fields }) => fields.uploadId))
    expect(sizes().length).toBeLessThanOrEqual(8)
    expect(Math.max(...sizes())).toBe(MAX_FILES_TOGETHER)
    expect(server.state.mostInFlight).toBeLessThanOrEqual(4)
    expect(server.uploads.get(files[7]?.fields.uploadId ?? '')?.fields).toMatchObject({ relativePath: 'Trip/7.txt' })
  })

  test('never more bytes, nor a longer description, than a request may have', async () => {
    const large = filesOf(40, (index) => String(index % 10).repeat(MAX_SMALL_FILE))
    await sendAll(large)
    assertStored(large)
    expect(Math.max(...sizes())).toBe(MAX_BYTES_TOGETHER / MAX_SMALL_FILE)
    server.requests.length = 0
    const deep = filesOf(60).map((file) => ({
      ...file,
      fields: { ...file.fields, relativePath: `${'ü'.repeat(900)}/${file.fields.filename}` },
    }))
    await sendAll(deep)
    assertStored(deep)
    expect(Math.max(...sizes())).toBeLessThan(40)
    expect(Math.max(...sizes())).toBeGreaterThan(10)
  })

  test('each hears what stands in its own way', async () => {
    const files = filesOf(20).map(({ fields, content }, index) => ({
      fields: { ...fields, relativePath: `Trip/${Math.min(index, 18)}`, onConflict: 'fail' as const },
      content,
    }))
    const outcomes = await sendAll(files)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(19)
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused?.reason as ApiError).toMatchObject({ status: 409, text: 'Refused: name_taken.' })
  })

  test('what a request with many is refused for, each hears by itself', async () => {
    server.state.trouble = (label) => (label.startsWith('files') ? { status: 404 } : undefined)
    const files = filesOf(20)
    await sendAll(files)
    assertStored(files)
    expect(sizes().filter((size) => size === 1)).toHaveLength(20)
  })

  test.each([
    ['a lost connection', 'drop' as const],
    ['a server that is away', { status: 503 }],
    ['a session that is over', { status: 401 }],
    ['no room at all', { status: 413, body: { error: 'No room.', code: 'quota_exceeded' } }],
  ])('all hear of %s, without a request for each', async (_what, trouble) => {
    server.state.trouble = () => trouble
    const outcomes = await sendAll(filesOf(50))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test('one that is given up on the way is not stored; the others are, without being told', async () => {
    const given = new AbortController()
    const files = filesOf(50).map((file, index) => (index === 20 ? { ...file, signal: given.signal } : file))
    server.state.trouble = (label) => {
      if (label.startsWith('files') && !given.signal.aborted) {
        given.abort(new Error('given up'))
        return 'drop'
      }
      return undefined
    }
    const outcomes = await sendAll(files)
    expect(outcomes[20]).toMatchObject({ status: 'rejected', reason: { message: 'given up' } })
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(49)
    assertStored(files.filter((_, index) => index !== 20))
    expect(server.uploads.has(files[20]?.fields.uploadId ?? '')).toBe(false)
  })

  test('one that cannot be read any more does not hold up the others', async () => {
    class GoneFile extends Blob {
      override arrayBuffer(): Promise<ArrayBuffer> {
        return Promise.reject(new DOMException('gone', 'NotReadableError'))
      }
    }
    const files = filesOf(30)
    const gone = files.map((file, index) => (index === 3 ? { ...file, chunk: new GoneFile([file.content]) } : file))
    const outcomes = await sendAll(gone)
    expect(outcomes[3]).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } })
    assertStored(files.filter((_, index) => index !== 3))
  })

  test('progress of each is its own', async () => {
    const progress = new Map<number, number>()
    const files = filesOf(30, () => 'x'.repeat(1000)).map((file, index) => ({
      ...file,
      onProgress: (bytes: number) => void progress.set(index, bytes),
    }))
    await sendAll(files)
    expect([...progress.values()]).toEqual(files.map(() => 1000))
  })
})

test('a small file is one that comes whole and is small', () => {
  const fields = fieldsOf('a', MAX_SMALL_FILE)
  expect(isSmallFile(fields)).toBe(true)
  expect(isSmallFile({ ...fields, totalSize: MAX_SMALL_FILE + 1 })).toBe(false)
  expect(isSmallFile({ ...fields, totalChunks: 2 })).toBe(false)
  expect(isSmallFile({ ...fields, complete: undefined })).toBe(false)
})
