import '../lib/testing/browser-globals.ts'
import { FOLDER_CHUNK_SIZE, MEBIBYTE } from '@alcove/contract/limits'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createUploadEnvironment } from './chunked-upload.ts'
import { startUploadServer, type UploadServer } from './testing/upload-server.ts'
import type { Batch } from './transfer.ts'
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts'
import { UploadQueue } from './upload-queue.ts'

let server: UploadServer
let kept: Map<string, UnfinishedUpload>
let digests: Map<string, Map<number, string>>
let store: UploadQueue
let told: Batch[]

beforeEach(async () => {
  server = await startUploadServer()
  kept = new Map()
  digests = new Map()
  store = await openStore()
})
afterEach(() => server.stop())

/** A store as a page has it that was just loaded. */
async function openStore(): Promise<UploadQueue> {
  const unfinished: UnfinishedUploads = {
    remember: async (uploads) => {
      for (const upload of uploads) kept.set(upload.uploadId, upload)
    },
    forget: (uploadId) => void kept.delete(uploadId),
    abandon: async (uploadId) => kept.delete(uploadId) || true,
    noteChunk: async (uploadId, index, digest) => {
      digests.set(uploadId, (digests.get(uploadId) ?? new Map()).set(index, digest))
      return true
    },
    listChunks: async (uploadId) => digests.get(uploadId) ?? new Map(),
    takeOver: async (owner, onFound) => onFound([...kept.values()].filter((upload) => upload.owner === owner)),
  }
  const opened = new UploadQueue(
    createUploadEnvironment({
      transport: server.transport,
      connection: { isOnline: () => true, subscribe: () => () => {} },
      firstDelay: 1,
    }),
    unfinished,
  )
  told = []
  opened.listen({ batchSettled: (batch) => told.push({ ...batch }) })
  await opened.open('mara@example.com')
  return opened
}

function fileOf(name: string, size: number, fill = 7) {
  return new File([new Uint8Array(size).fill(fill)], name, { lastModified: 1000 })
}

const views = () => store.getSnapshot().views
const view = (name: string) => views().find((one) => one.name === name)
const settled = (batches = 1) => vi.waitFor(() => expect(told.length).toBe(batches), { timeout: 5000 })
const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })

describe('a choice of files', () => {
  test('is stored, and told once', async () => {
    const stored: string[] = []
    store.listen({ stored: (file) => stored.push(file.name) })
    store.addFiles(
      Array.from({ length: 40 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) })),
      { parentFolderId: 'a' },
    )
    await settled()
    expect(told).toMatchObject([{ kind: 'file', stored: 40, failed: 0 }])
    expect(stored.length).toBe(40)
    expect(server.requests).toContain('files 40')
    expect(server.requests.filter((one) => one === 'verify').length).toBe(1)
    expect(server.state.mostInFlight).toBeLessThanOrEqual(6)
    await until(() => expect(views().every(({ status }) => status === 'done')).toBe(true))
  })

  test('tells the failed one, which can be tried again', async () => {
    let isBroken = true
    server.state.trouble = () => (isBroken ? { status: 400, body: { error: 'No.', code: 'malformed' } } : undefined)
    store.addFiles([{ source: fileOf('a.txt', 10) }], {})
    await settled()
    expect(told).toMatchObject([{ kind: 'file', stored: 0, failed: 1, reason: 'No.' }])
    await until(() => expect(view('a.txt')).toMatchObject({ status: 'failed', reason: 'No.' }))
    isBroken = false
    store.retry(view('a.txt')?.id ?? '')
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
  })

  test('in which one is cancelled ends with the others', async () => {
    server.state.trouble = () => (server.requests.at(-1)?.startsWith('chunk') ? 'drop' : undefined)
    store.addFiles([{ source: fileOf('a.txt', 10) }, { source: fileOf('b.txt', 10) }], {})
    await until(() => expect(view('a.txt')?.status).toBe('uploading'))
    store.cancel(view('a.txt')?.id ?? '')
    server.state.trouble = () => undefined
    await settled()
    expect(told).toMatchObject([{ stored: 1, failed: 0 }])
    await until(() => expect(views().map(({ name }) => name)).toEqual(['b.txt']))
  })

  test('of ten thousand does not overwhelm who listens', async () => {
    let calls = 0
    const instant = new UploadQueue(
      createUploadEnvironment({
        transport: {
          ...server.transport,
          sendChunk: async (fields) => ({ uploadId: fields.uploadId, chunkIndex: 0, received: 1 }),
          sendFiles: async (files) => ({
            results: files.map(({ uploadId }) => ({ uploadId, status: 201, file: { id: uploadId } as never })),
          }),
          completeUpload: async ({ uploadId }) => ({ id: uploadId }) as never,
          verifyUploads: async (ids) => ({ stored: ids.map((uploadId) => ({ uploadId, size: 1 })), gone: [] }),
          readFreeBytes: async () => 1e9,
        },
        connection: { isOnline: () => true, subscribe: () => () => {} },
      }),
      {
        remember: async () => {},
        forget: () => {},
        abandon: async () => true,
        noteChunk: async () => true,
        listChunks: async () => new Map(),
        takeOver: async () => {},
      },
    )
    instant.subscribe(() => {
      calls += 1
    })
    const startedAt = performance.now()
    const files = Array.from({ length: 10_000 }, (_, index) => ({
      source: { name: `${index}`, size: 1, slice: () => new Blob() },
    }))
    const ended = new Promise<Readonly<Batch>>((resolve) => instant.listen({ batchSettled: resolve }))
    instant.addFiles(files, {})
    expect(await ended).toMatchObject({ stored: 10_000 })
    const elapsed = performance.now() - startedAt
    expect(calls).toBeLessThanOrEqual(elapsed / 100 + 2)
  })
})

describe('a folder', () => {
  const paths = ['Trip/day 1/a.jpg', 'Trip/day 1/b.jpg', 'Trip/c.jpg']
  const trip = () =>
    paths.map((relativePath) => ({ source: fileOf(relativePath.split('/').at(-1) ?? '', 50), relativePath }))

  test('is one entry, and keeps its paths', async () => {
    store.addFolder('Trip', trip(), { parentFolderId: 'p' })
    await settled()
    await until(() =>
      expect(views()).toMatchObject([{ kind: 'folder', name: 'Trip', status: 'done', files: 3, filesDone: 3 }]),
    )
    expect([...server.uploads.values()].map(({ fields }) => fields.relativePath).sort()).toEqual([...paths].sort())
    expect([...server.uploads.values()].every(({ fields }) => fields.parentFolderId === 'p')).toBe(true)
    expect([...server.uploads.values()][0]?.fields.chunkSize).toBe(String(FOLDER_CHUNK_SIZE))
  })

  test('for which there is no room stops at once', async () => {
    server.state.trouble = () => ({ status: 413, body: { error: 'You need 2 MB more room.', code: 'quota_exceeded' } })
    const many = Array.from({ length: 500 }, (_, index) => ({
      source: fileOf(`${index}`, 5),
      relativePath: `Trip/${index}`,
    }))
    store.addFolder('Trip', many, {})
    await settled()
    expect(told).toMatchObject([{ kind: 'folder', stored: 0, failed: 500, reason: 'You need 2 MB more room.' }])
    expect(server.requests.length).toBeLessThanOrEqual(12)
  })

  test('with taken names waits for one answer to all of them', async () => {
    store.addFolder('Trip', trip(), {})
    await settled()
    store.addFolder('Trip', [...trip(), { source: fileOf('d.jpg', 5), relativePath: 'Trip/d.jpg' }], {})
    await until(() => expect(views()[0]).toMatchObject({ status: 'conflict', filesInConflict: 3, filesDone: 1 }))
    store.resolve(views()[0]?.id ?? '', 'replace', true)
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 4, failed: 0 })
  })

  test('whose files are all there already and skipped leaves no entry behind', async () => {
    store.addFolder('Trip', trip(), {})
    await settled()
    store.clearSettled()
    store.addFolder('Trip', trip(), {})
    await until(() => expect(views()[0]?.filesInConflict).toBe(3))
    store.resolve(views()[0]?.id ?? '', 'skip', true)
    await until(() => expect(views()).toEqual([]))
    expect(told.length).toBe(1)
  })
})

describe('a large file', () => {
  const size = FOLDER_CHUNK_SIZE * 3 + MEBIBYTE
  const relativePath = 'Trip/film.mov'
  const target = { parentFolderId: 'p' }

  async function begin() {
    const reached = new Promise<void>((resolve) => {
      server.state.trouble = (request) => {
        if (server.requests.filter((one) => one.startsWith('chunk')).length < 3) return undefined
        if (!request.startsWith('chunk')) return undefined
        resolve()
        return { status: 503 }
      }
    })
    const file = fileOf('film.mov', size)
    store.addFolder('Trip', [{ source: file, relativePath }], target)
    await reached
    return file
  }

  test('is paused and goes on', async () => {
    await begin()
    store.pause(view('Trip')?.id ?? '')
    await until(() => expect(view('Trip')?.status).toBe('paused'))
    expect(view('Trip')?.filesNeeded).toBe(0)
    server.state.trouble = () => undefined
    store.resume(view('Trip')?.id ?? '')
    await settled()
    expect(server.requests.filter((request) => request === 'get').length).toBe(1)
    expect(kept.size).toBe(0)
  })

  async function interrupt() {
    const file = await begin()
    store.pauseAll()
    await until(() => expect([...digests.values()].flatMap((chunks) => [...chunks]).length).toBeGreaterThanOrEqual(1))
    server.state.trouble = () => undefined
    store = await openStore()
    await until(() => expect(view('Trip')).toMatchObject({ status: 'paused', filesNeeded: 1 }))
    await until(() => expect(view('Trip')?.sent).toBeGreaterThanOrEqual(FOLDER_CHUNK_SIZE))
    server.requests.length = 0
    return file
  }
  const chunksSent = () => server.requests.filter((one) => one.startsWith('chunk')).length

  test('comes back paused after a reload, and goes on when it is chosen again', async () => {
    const file = await interrupt()
    const there = server.uploads.values().next().value?.chunks.size ?? 0
    await until(() => expect([...digests.values()][0]?.size).toBeGreaterThanOrEqual(there))
    const id = view('Trip')?.id ?? ''
    const other = { source: fileOf('other.mov', size), relativePath: 'Trip/other.mov' }
    expect(await store.chooseAgain([other], id)).toEqual({ resumed: 0, changed: [], others: [other] })
    expect(view('Trip')?.status).toBe('paused')

    store.addFolder('Trip', [{ source: file, relativePath }], target)
    await settled()
    expect(chunksSent()).toBe(4 - there)
    expect(kept.size).toBe(0)
    await until(() => expect(views().length).toBe(1))
  })

  test.each([
    ['other bytes', fileOf('film.mov', size, 8)],
    ['another size', fileOf('film.mov', size + 5)],
    ['another date', new File([new Uint8Array(size).fill(7)], 'film.mov', { lastModified: 2000 })],
  ])('that has %s by now starts again, and says so', async (_what, changed) => {
    await interrupt()
    expect(await store.chooseAgain([{ source: changed }])).toEqual({ resumed: 0, changed: ['film.mov'], others: [] })
    await until(() => expect(view('Trip')?.note).toContain('has changed since'))
    await settled()
    expect(chunksSent()).toBe(4)
    expect(server.requests).toContain('cancel')
    const uploadId = [...server.uploads.keys()].at(-1) ?? ''
    expect(server.bytesOf(uploadId).equals(Buffer.from(await changed.arrayBuffer()))).toBe(true)
    expect(kept.size).toBe(0)
  })

  test('of one user does not show to another', async () => {
    await begin()
    store.pauseAll()
    await store.open('other@example.com')
    await until(() => expect(views()).toEqual([]))
    expect(kept.size).toBe(1)
  })

  test('that is cancelled is given up on the server too', async () => {
    await begin()
    store.cancel(view('Trip')?.id ?? '')
    await until(() => expect(server.requests).toContain('cancel'))
    expect(server.uploads.size).toBe(0)
    expect(kept.size).toBe(0)
    expect(told).toEqual([])
  })
})

test('when the session is over all uploads pause', async () => {
  server.state.trouble = () => ({ status: 401, body: { error: 'Over.', code: 'unauthenticated' } })
  store.addFiles(
    Array.from({ length: 30 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) })),
    {},
  )
  await until(() => expect(store.getSnapshot().paused).toBe(30))
  expect(server.requests.filter((one) => one.startsWith('chunk')).length).toBeLessThanOrEqual(6)
  server.state.trouble = () => undefined
  store.resumeAll()
  await settled()
})

test('what the end of the session stopped goes on when its user is back', async () => {
  let isOver = true
  server.state.trouble = () => (isOver ? { status: 401, body: { error: 'Over.', code: 'unauthenticated' } } : undefined)
  const files = Array.from({ length: 10 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) }))
  store.addFiles(files, {})
  await until(() => expect(store.getSnapshot().paused).toBe(10))
  isOver = false
  await store.open('mara@example.com')
  await settled()
  expect(told).toMatchObject([{ stored: 10, failed: 0 }])
})

test('files are listed and sent in the natural order of their names', async () => {
  const names = ['file 10.txt', 'file 2.txt', 'File 1.txt']
  store.addFiles(
    names.map((name) => ({ source: fileOf(name, 10) })),
    {},
  )
  await settled()
  await until(() => expect(views().map(({ name }) => name)).toEqual(['File 1.txt', 'file 2.txt', 'file 10.txt']))
})

describe('for want of room', () => {
  test('a file is refused before its first byte, and goes when there is room', async () => {
    server.state.freeBytes = 1000
    store.addFiles([{ source: fileOf('a.txt', 3000) }], {})
    await settled()
    await until(() => expect(view('a.txt')).toMatchObject({ status: 'failed', exceedsQuota: true }))
    expect(view('a.txt')?.reason).toBe('Not enough room: "a.txt" needs 2 KB more than there is.')
    expect(server.requests).toEqual(['room'])
    server.state.freeBytes = 5000
    store.retryAll()
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
  })

  test('each file is judged by itself, and a small one goes after one that is too large', async () => {
    server.state.freeBytes = 500
    const sizes = [150, 3000, 150, 150, 150]
    const files = sizes.map((size, index) => ({ source: fileOf(`${index}.txt`, size) }))
    store.addFiles(files, {})
    await until(() => expect(views().filter(({ status }) => status === 'done').length).toBe(3))
    expect(view('1.txt')).toMatchObject({ status: 'failed', exceedsQuota: true })
    expect(view('1.txt')?.reason).toContain('"1.txt" needs')
    expect(view('4.txt')).toMatchObject({ status: 'failed', exceedsQuota: true })
    expect(view('4.txt')?.reason).toContain('"4.txt" needs 100 B more')
  })

  test('a refusal of the server for one file leaves the smaller ones of its folder alone', async () => {
    server.state.trouble = (_request, filename) =>
      filename === '0.txt' ? { status: 413, body: { error: 'Not enough room.', code: 'quota_exceeded' } } : undefined
    const files = Array.from({ length: 20 }, (_, index) => ({
      source: fileOf(`${index}.txt`, index === 0 ? 200_000 : 100_000),
      relativePath: `Trip/${index}.txt`,
    }))
    store.addFolder('Trip', files, {})
    await settled()
    expect(told).toMatchObject([{ stored: 19, failed: 1 }])
  })

  test('an account that holds all the files it may has the rest of a folder refused at once', async () => {
    server.state.trouble = (request) =>
      request.startsWith('chunk')
        ? { status: 413, body: { error: 'Your plan allows 3 files.', code: 'item_limit' } }
        : undefined
    const files = Array.from({ length: 20 }, (_, index) => ({
      source: fileOf(`${index}.txt`, 100_000),
      relativePath: `Trip/${index}.txt`,
    }))
    store.addFolder('Trip', files, {})
    await settled()
    expect(told).toMatchObject([{ stored: 0, failed: 20 }])
    expect(view('Trip')).toMatchObject({ exceedsQuota: false })
    expect(server.requests.filter((request) => request.startsWith('chunk')).length).toBeLessThan(20)
  })
})

describe('a receipt', () => {
  test('counts what the server has', async () => {
    store.addFiles(
      Array.from({ length: 12 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) })),
      {},
    )
    await settled()
    await until(() =>
      expect(store.getSnapshot()).toMatchObject({ files: 12, filesStored: 12, filesVerified: 12, isVerifying: false }),
    )
  })

  test('tells what the server has lost, and sends it again', async () => {
    let isLost = true
    server.state.trouble = (request) =>
      request === 'verify' && isLost ? { status: 200, body: { stored: [], gone: [] } } : undefined
    store.addFiles([{ source: fileOf('a.txt', 10) }], {})
    await settled()
    expect(told).toMatchObject([{ stored: 0, failed: 1 }])
    await until(() => expect(view('a.txt')?.reason).toContain('does not have it'))
    isLost = false
    server.requests.length = 0
    store.retry(view('a.txt')?.id ?? '')
    await until(() => expect(view('a.txt')?.status).toBe('conflict')) // here the server has it after all
    store.resolve(view('a.txt')?.id ?? '', 'replace', false)
    await until(() => expect(store.getSnapshot().filesVerified).toBe(1))
  })
})

describe('taken names', () => {
  test('are answered one by one, with both sides, or all at once and for what comes later', async () => {
    const files = () => Array.from({ length: 30 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) }))
    store.addFiles(files(), {})
    await settled()
    store.clearSettled()
    store.addFiles(files(), {})
    await until(() => expect(store.getSnapshot().filesInConflict).toBe(30))
    expect(views()[0]?.conflict).toMatchObject({ size: 100, lastModified: 1000, existing: { type: 'file', size: 3 } })
    store.resolve(views()[0]?.id ?? '', 'replace', false)
    await until(() => expect(store.getSnapshot()).toMatchObject({ filesInConflict: 29, filesStored: 1 }))
    store.resolve(views()[3]?.id ?? '', 'skip', true)
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
  })
})
