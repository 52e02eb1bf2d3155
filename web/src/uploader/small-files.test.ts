import '../lib/testing/browser-globals.ts'
import type { File as StoredFile } from '@alcove/contract/items'
import { MAX_BYTES_TOGETHER, MAX_FILES_TOGETHER, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { describe, expect, test } from 'vitest'
import type { ApiError } from '../api/api.ts'
import { createRequestSlots } from './concurrency.ts'
import { isSmallFile } from './planner.ts'
import { createSmallFileSender } from './small-files.ts'
import { server, setUpServer } from './testing/test-server.ts'
import type { ChunkFields, ChunkResponse } from './transport.ts'

setUpServer()

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

type Outcome = PromiseSettledResult<ChunkResponse>

/** Asserts that each file got a response with its own name, and that the server has its bytes at its path. */
async function assertStored(files: readonly Sent[], outcomes: readonly Outcome[]) {
  const checks = files.map(async ({ fields, content }, index) => {
    const outcome = outcomes[index]
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { name: fields.filename, size: content.length } })
    const stored = (outcome as PromiseFulfilledResult<StoredFile>).value
    expect((await server.download(stored)).toString()).toBe(content)
  })
  await Promise.all(checks)
  expect(await server.listPaths()).toEqual(expect.arrayContaining(files.map(({ fields }) => fields.relativePath)))
}

/** Returns the list without one element. */
const without = <T>(list: readonly T[], index: number) => list.toSpliced(index, 1)

/** Returns the number of files in each request. */
const sizes = () => server.requests.map((label) => (label.startsWith('files') ? Number(label.split(' ')[1]) : 1))

describe('sending small files', () => {
  test('sends a few files immediately, each in its own request', async () => {
    const files = filesOf(4)
    await assertStored(files, await sendAll(files))
    expect(server.requests).toEqual(['chunk 0', 'chunk 0', 'chunk 0', 'chunk 0'])
  })

  test('sends many files in few requests and returns the stored file of each', async () => {
    const files = filesOf(450)
    await assertStored(files, await sendAll(files))
    expect(sizes().length).toBeLessThanOrEqual(8)
    expect(Math.max(...sizes())).toBe(MAX_FILES_TOGETHER)
    expect(server.mostInFlight).toBeLessThanOrEqual(4)
    expect((await server.listPaths()).length).toBe(450)
  })

  test('limits the file bytes and the metadata size of each request', async () => {
    const large = filesOf(40, (index) => String(index % 10).repeat(MAX_SMALL_FILE))
    await assertStored(large, await sendAll(large))
    expect(Math.max(...sizes())).toBe(MAX_BYTES_TOGETHER / MAX_SMALL_FILE)
    server.requests.length = 0
    const folders = `${'ü'.repeat(100)}/`.repeat(9)
    const deep = filesOf(60).map((file) => ({
      ...file,
      fields: { ...file.fields, relativePath: folders + file.fields.filename },
    }))
    await assertStored(deep, await sendAll(deep))
    expect(Math.max(...sizes())).toBeLessThan(40)
    expect(Math.max(...sizes())).toBeGreaterThan(10)
  })

  test('rejects only the file whose name is taken', async () => {
    const files = filesOf(20).map(({ fields, content }, index) => {
      const filename = `${Math.min(index, 18)}.txt`
      return { fields: { ...fields, filename, relativePath: `Trip/${filename}`, onConflict: 'fail' as const }, content }
    })
    const outcomes = await sendAll(files)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(19)
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
    const text = 'A file or folder named "18.txt" already exists here.'
    expect(refused?.reason as ApiError).toMatchObject({
      status: 409,
      body: { code: 'name_taken', existing: { type: 'file' } },
      text,
    })
  })

  test('sends each file separately when the server responds 404 to a combined request', async () => {
    server.fault = (label) => (label.startsWith('files') ? { status: 404 } : undefined)
    const files = filesOf(20)
    await assertStored(files, await sendAll(files))
    expect(sizes().filter((size) => size === 1)).toHaveLength(20)
  })

  test.each([
    ['a lost connection', 'drop' as const],
    ['a 503 response', { status: 503 }],
    ['a 401 response', { status: 401 }],
    ['a quota_exceeded response', { status: 413, body: { error: 'Not enough free space.', code: 'quota_exceeded' } }],
  ])('rejects all files after %s without a request for each file', async (_what, fault) => {
    server.fault = () => fault
    const outcomes = await sendAll(filesOf(50))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test('stores the other files when one is cancelled during the combined request', async () => {
    const given = new AbortController()
    const files = filesOf(50).map((file, index) => (index === 20 ? { ...file, signal: given.signal } : file))
    server.fault = (label) => {
      if (label.startsWith('files') && !given.signal.aborted) {
        given.abort(new Error('given up'))
        return 'drop'
      }
      return undefined
    }
    const outcomes = await sendAll(files)
    expect(outcomes[20]).toMatchObject({ status: 'rejected', reason: { message: 'given up' } })
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(49)
    await assertStored(without(files, 20), without(outcomes, 20))
    expect(await server.listPaths()).not.toContain('Trip/20.txt')
  })

  test('stores the other files when one can no longer be read', async () => {
    class GoneFile extends Blob {
      override arrayBuffer(): Promise<ArrayBuffer> {
        return Promise.reject(new DOMException('gone', 'NotReadableError'))
      }
    }
    const files = filesOf(30)
    const gone = files.map((file, index) => (index === 3 ? { ...file, chunk: new GoneFile([file.content]) } : file))
    const outcomes = await sendAll(gone)
    expect(outcomes[3]).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } })
    await assertStored(without(files, 3), without(outcomes, 3))
  })

  test('reports the progress of each file separately', async () => {
    const progress = new Map<number, number>()
    const files = filesOf(30, () => 'x'.repeat(1000)).map((file, index) => ({
      ...file,
      onProgress: (bytes: number) => void progress.set(index, bytes),
    }))
    await sendAll(files)
    expect([...progress.values()]).toEqual(files.map(() => 1000))
  })
})

test('treats a file as small if it has one chunk and does not exceed the size limit', () => {
  const fields = fieldsOf('a', MAX_SMALL_FILE)
  expect(isSmallFile(fields)).toBe(true)
  expect(isSmallFile({ ...fields, totalSize: MAX_SMALL_FILE + 1 })).toBe(false)
  expect(isSmallFile({ ...fields, totalChunks: 2 })).toBe(false)
  expect(isSmallFile({ ...fields, complete: undefined })).toBe(false)
})
