import '../lib/testing/browser-globals.ts'
import { renameFile } from '@alcove/contract/files'
import type { File as StoredFile } from '@alcove/contract/items'
import { FOLDER_CHUNK_SIZE, MEBIBYTE } from '@alcove/contract/limits'
import { breakItemLocks } from '@alcove/contract/locks'
import { getUpload } from '@alcove/contract/uploads'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createUploadEnvironment } from './chunked-upload.ts'
import { server, setUpServer } from './testing/test-server.ts'
import type { Batch } from './transfer.ts'
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts'
import { UploadQueue } from './upload-queue.ts'

setUpServer()

let kept: Map<string, UnfinishedUpload>
let digests: Map<string, Map<number, string>>
let store: UploadQueue
let told: Batch[]

beforeEach(async () => {
  kept = new Map()
  digests = new Map()
  store = await openStore()
})

/** Creates the queue of a page that was just loaded. */
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

/** Returns the fields of a request that contains a whole file. */
const wholeFile = (filename: string, totalSize: number) => ({
  ...{ uploadId: crypto.randomUUID(), filename, totalSize, chunkIndex: 0, totalChunks: 1, complete: true },
})

const views = () => store.getSnapshot().views
const view = (name: string) => views().find((one) => one.name === name)
const settled = (batches = 1) => vi.waitFor(() => expect(told.length).toBe(batches), { timeout: 10_000 })
const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 })

describe('uploading a selection of files', () => {
  test('stores all selected files and reports the batch once', async () => {
    const parentFolderId = await server.createFolder('Photos')
    const stored: string[] = []
    store.listen({ stored: (file) => stored.push(file.name) })
    store.addFiles(
      Array.from({ length: 40 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) })),
      { parentFolderId },
    )
    await settled()
    expect(told).toMatchObject([{ kind: 'file', stored: 40, failed: 0 }])
    expect(stored.length).toBe(40)
    expect(await server.listPaths()).toEqual(stored.map((name) => `Photos/${name}`).sort())
    expect(server.requests).toContain('files 40')
    expect(server.requests.filter((one) => one === 'verify').length).toBe(1)
    expect(server.mostInFlight).toBeLessThanOrEqual(6)
    await until(() => expect(views().every(({ status }) => status === 'done')).toBe(true))
  })

  test('reports stored names that differ from others only in case or have blanks at their ends', async () => {
    for (const name of ['Photo.jpg', 'plain.txt']) store.addFiles([{ source: fileOf(name, 10) }], {})
    await settled(2)
    store.addFiles([{ source: fileOf('photo.jpg', 10) }, { source: fileOf('note.txt ', 10) }], {})
    const inFolder = ['Trip/day /a.txt', 'Trip/day /A.txt', 'Trip/day /b.txt', 'Trip/ c.txt']
    store.addFolder(
      'Trip',
      inFolder.map((relativePath) => ({ source: fileOf(relativePath.split('/').at(-1) ?? '', 10), relativePath })),
      {},
    )
    await settled(4)
    expect(await server.listPaths()).toEqual(['Photo.jpg', 'note.txt ', 'photo.jpg', 'plain.txt', ...inFolder].sort())
    // The next snapshot has the result of the comparison with the server.
    await until(() => expect(view('Trip')?.oddNames).toMatchObject({ twins: 2, blanks: 2, firstBlank: 'day ' }))
    expect(view('plain.txt')?.oddNames).toBeUndefined()
    const firstTwin = { name: 'photo.jpg', twin: 'Photo.jpg' }
    await until(() => expect(view('photo.jpg')?.oddNames).toMatchObject({ twins: 1, firstTwin, blanks: 0 }))
    expect(view('note.txt ')?.oddNames).toMatchObject({ twins: 0, blanks: 1, firstBlank: 'note.txt ' })
  })

  test('reports a failed file and stores it when the user retries', async () => {
    let isBroken = true
    server.fault = () => (isBroken ? { status: 400, body: { error: 'No.', code: 'malformed' } } : undefined)
    store.addFiles([{ source: fileOf('a.txt', 10) }], {})
    await settled()
    expect(told).toMatchObject([{ kind: 'file', stored: 0, failed: 1, reason: 'No.' }])
    await until(() => expect(view('a.txt')).toMatchObject({ status: 'failed', reason: 'No.' }))
    isBroken = false
    store.retry(view('a.txt')?.id ?? '')
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
  })

  test('finishes a batch when one file is cancelled and the others are stored', async () => {
    server.fault = (_request, filename) => (filename === 'a.txt' ? 'hang' : undefined)
    store.addFiles([{ source: fileOf('a.txt', 10) }, { source: fileOf('b.txt', 10) }], {})
    await until(() => expect(view('a.txt')?.status).toBe('uploading'))
    store.cancel(view('a.txt')?.id ?? '')
    await settled()
    expect(told).toMatchObject([{ stored: 1, failed: 0 }])
    await until(() => expect(views().map(({ name }) => name)).toEqual(['b.txt']))
  })

  test('notifies subscribers at most ten times a second for ten thousand files', async () => {
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
      source: { name: `${index}`, size: 1, slice: () => new Blob(['x']) },
    }))
    const ended = new Promise<Readonly<Batch>>((resolve) => instant.listen({ batchSettled: resolve }))
    instant.addFiles(files, {})
    expect(await ended).toMatchObject({ stored: 10_000 })
    const elapsed = performance.now() - startedAt
    expect(calls).toBeLessThanOrEqual(elapsed / 100 + 2)
  })
})

describe('uploading a folder', () => {
  const paths = ['Trip/day 1/a.jpg', 'Trip/day 1/b.jpg', 'Trip/c.jpg']
  const trip = () =>
    paths.map((relativePath) => ({ source: fileOf(relativePath.split('/').at(-1) ?? '', 50), relativePath }))

  test('shows the folder as one entry and keeps the paths of its files', async () => {
    const parentFolderId = await server.createFolder('Photos')
    store.addFolder('Trip', trip(), { parentFolderId })
    await settled()
    await until(() =>
      expect(views()).toMatchObject([{ kind: 'folder', name: 'Trip', status: 'done', files: 3, filesDone: 3 }]),
    )
    expect(await server.listPaths()).toEqual(paths.map((path) => `Photos/${path}`).sort())
  })

  test('keeps the modification dates of files that share a request', async () => {
    const stored: StoredFile[] = []
    store.listen({ stored: (file) => stored.push(file) })
    const files = Array.from({ length: 20 }, (_, index) => ({
      source: new File(['x'], `${index}.txt`, { lastModified: index }),
      relativePath: `Trip/${index}.txt`,
    }))
    store.addFolder('Trip', files, {})
    await settled()
    expect(server.requests.some((label) => label.startsWith('files'))).toBe(true)
    for (const { name, modifiedAt } of stored) expect(Date.parse(modifiedAt)).toBe(Number.parseInt(name, 10))
    expect(stored).toHaveLength(20)
  })

  test('sends the files of a folder in chunks of FOLDER_CHUNK_SIZE', async () => {
    const film = { source: fileOf('film.mov', FOLDER_CHUNK_SIZE + 1), relativePath: 'Trip/film.mov' }
    store.addFolder('Trip', [film], {})
    await settled()
    expect(told).toMatchObject([{ stored: 1, failed: 0 }])
    expect(await server.listUploads()).toMatchObject([{ total_chunks: 2, chunk_size: FOLDER_CHUNK_SIZE }])
  })

  test('fails the whole folder after a few requests when the server has no free space', async () => {
    await server.setAllocation(4)
    const reason = (await server.user.client.sendChunk(wholeFile('a.txt', 5), 'x'.repeat(5))).body.error
    // The uploads start if the free space is unknown, and the server decides.
    server.fault = (request) => (request === 'storage' ? { status: 500 } : undefined)
    const many = Array.from({ length: 500 }, (_, index) => ({
      source: fileOf(`${index}`, 5),
      relativePath: `Trip/${index}`,
    }))
    store.addFolder('Trip', many, {})
    await settled()
    expect(reason).toContain('Not enough')
    expect(told).toMatchObject([{ kind: 'folder', stored: 0, failed: 500, reason }])
    expect(server.requests.length).toBeLessThanOrEqual(12)
  })

  test('resolves all taken names of a folder with one decision', async () => {
    store.addFolder('Trip', trip(), {})
    await settled()
    store.addFolder('Trip', [...trip(), { source: fileOf('d.jpg', 5), relativePath: 'Trip/d.jpg' }], {})
    await until(() => expect(views()[0]).toMatchObject({ status: 'conflict', filesInConflict: 3, filesDone: 1 }))
    store.resolve(views()[0]?.id ?? '', 'replace', true)
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 4, failed: 0 })
  })

  test('fails the files whose folder a file is in the way of, and stores them on retry once it is renamed', async () => {
    const folderId = await server.createFolder('Trip')
    await server.user.client.upload('day 1', 'a file', { folderId })
    store.addFolder('Trip', trip(), {})
    await settled()
    const reason =
      'A file or folder named "day 1" already exists here. Rename it or the folder that is uploaded, then try again.'
    expect(told).toMatchObject([{ stored: 1, failed: 2, reason }])
    await until(() => expect(views()[0]).toMatchObject({ status: 'failed', filesInConflict: 0, reason }))
    await server.user.client.call(renameFile, { oldFilename: 'day 1', newName: 'notes', folderId })
    store.retry(views()[0]?.id ?? '')
    await settled(2)
    expect(await server.listPaths()).toEqual([...paths, 'Trip/notes'].sort())
  })

  test('removes the entry of a folder when the user skips all its existing files', async () => {
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

describe('uploading a large file', () => {
  /** Three chunks. */
  const size = FOLDER_CHUNK_SIZE * 2 + MEBIBYTE
  const relativePath = 'Trip/film.mov'
  let target: { parentFolderId: string }
  beforeEach(async () => {
    target = { parentFolderId: await server.createFolder('Photos') }
  })

  const chunksSent = () => server.requests.filter((one) => one.startsWith('chunk')).length

  /** Starts an upload. Two of its chunks arrive, and the last one hangs. */
  async function begin() {
    const reached = new Promise<void>((resolve) => {
      server.fault = (request) => {
        if (!request.startsWith('chunk') || chunksSent() < 3) return undefined
        resolve()
        return 'hang'
      }
    })
    const file = fileOf('film.mov', size)
    store.addFolder('Trip', [{ source: file, relativePath }], target)
    await reached
    await server.untilIdle()
    return file
  }

  test('resumes a paused upload after asking the server once which chunks it has', async () => {
    await begin()
    store.pause(view('Trip')?.id ?? '')
    await until(() => expect(view('Trip')?.status).toBe('paused'))
    expect(view('Trip')?.filesNeeded).toBe(0)
    server.fault = () => undefined
    store.resume(view('Trip')?.id ?? '')
    await settled()
    expect(server.requests.filter((request) => request === 'get').length).toBe(1)
    expect(kept.size).toBe(0)
  })

  /** Reloads the page when two chunks have arrived, and their digests are noted. */
  async function interrupt() {
    const file = await begin()
    store.pauseAll()
    await until(() => expect([...([...digests.values()][0]?.keys() ?? [])]).toEqual(expect.arrayContaining([0, 1])))
    server.fault = () => undefined
    store = await openStore()
    await until(() => expect(view('Trip')).toMatchObject({ status: 'paused', filesNeeded: 1 }))
    await until(() => expect(view('Trip')?.sent).toBe(2 * FOLDER_CHUNK_SIZE))
    server.requests.length = 0
    return file
  }

  test('resumes after a reload with the missing chunk when the same file is chosen again', async () => {
    const file = await interrupt()
    const [upload] = await server.listUploads()
    const { received } = (await server.user.client.call(getUpload, { uploadId: upload?.id ?? '' })).body
    expect(received).toEqual([0, 1])
    const id = view('Trip')?.id ?? ''
    const other = { source: fileOf('other.mov', size), relativePath: 'Trip/other.mov' }
    expect(await store.chooseAgain([other], id)).toEqual({ resumed: 0, changed: [], others: [other] })
    expect(view('Trip')?.status).toBe('paused')

    const stored: StoredFile[] = []
    store.listen({ stored: (one) => stored.push(one) })
    store.addFolder('Trip', [{ source: file, relativePath }], target)
    await settled()
    expect(stored).toMatchObject([{ modifiedAt: new Date(file.lastModified).toISOString() }])
    expect(chunksSent()).toBe(1)
    expect(kept.size).toBe(0)
    await until(() => expect(views().length).toBe(1))
  })

  test.each([
    ['other bytes', fileOf('film.mov', size, 8)],
    ['another size', fileOf('film.mov', size + 5)],
    ['another date', new File([new Uint8Array(size).fill(7)], 'film.mov', { lastModified: 2000 })],
  ])('restarts the upload with a message when the chosen file has %s', async (_what, changed) => {
    await interrupt()
    const stored: StoredFile[] = []
    store.listen({ stored: (file) => stored.push(file) })
    expect(await store.chooseAgain([{ source: changed }])).toEqual({ resumed: 0, changed: ['film.mov'], others: [] })
    await until(() => expect(view('Trip')?.note).toContain('has changed, so'))
    await settled()
    expect(chunksSent()).toBe(3)
    expect(server.requests).toContain('cancel')
    const bytes = await server.download(stored[0] as StoredFile)
    expect(bytes.equals(Buffer.from(await changed.arrayBuffer()))).toBe(true)
    expect(kept.size).toBe(0)
  })

  test('hides a paused upload from another user but keeps its record', async () => {
    await begin()
    store.pauseAll()
    await store.open('other@example.com')
    await until(() => expect(views()).toEqual([]))
    expect(kept.size).toBe(1)
  })

  test('deletes a cancelled upload in the browser and on the server', async () => {
    await begin()
    store.cancel(view('Trip')?.id ?? '')
    await until(() => expect(server.requests).toContain('cancel'))
    await server.untilIdle()
    expect(await server.listUploads()).toEqual([])
    expect(kept.size).toBe(0)
    expect(told).toEqual([])
  })
})

test('pauses all uploads when the session ends', async () => {
  server.fault = () => ({ status: 401, body: { error: 'Over.', code: 'unauthenticated' } })
  store.addFiles(
    Array.from({ length: 30 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) })),
    {},
  )
  await until(() => expect(store.getSnapshot().paused).toBe(30))
  expect(server.requests.filter((one) => one.startsWith('chunk')).length).toBeLessThanOrEqual(6)
  server.fault = () => undefined
  store.resumeAll()
  await settled()
})

test('resumes the uploads of an expired session when the same user signs in again', async () => {
  let isOver = true
  server.fault = () => (isOver ? { status: 401, body: { error: 'Over.', code: 'unauthenticated' } } : undefined)
  const files = Array.from({ length: 10 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) }))
  store.addFiles(files, {})
  await until(() => expect(store.getSnapshot().paused).toBe(10))
  isOver = false
  await store.open('mara@example.com')
  await settled()
  expect(told).toMatchObject([{ stored: 10, failed: 0 }])
})

test('lists files in the natural order of their names', async () => {
  const names = ['file 10.txt', 'file 2.txt', 'File 1.txt']
  store.addFiles(
    names.map((name) => ({ source: fileOf(name, 10) })),
    {},
  )
  await settled()
  await until(() => expect(views().map(({ name }) => name)).toEqual(['File 1.txt', 'file 2.txt', 'file 10.txt']))
})

describe('uploading without enough free space', () => {
  test('stores a file that fits once old versions have made way, and says how much they took', async () => {
    const old = await server.user.client.upload('old.txt', 'x'.repeat(3000))
    await server.user.client.upload('old.txt', 'y', { onConflict: 'replace', keepReplaced: true })
    await server.ageVersions()
    await server.setAllocation(4000)
    store.addFiles([{ source: fileOf('new.txt', 2000) }], {})
    await settled()
    expect(told[0]).toMatchObject({ stored: 1, failed: 0, thinnedBytes: 3000 })
    await until(() => expect(view('new.txt')).toMatchObject({ status: 'done', thinnedBytes: 3000 }))
    expect((await server.user.client.call(listVersions, { id: old.id })).body.total).toBe(0)
  })

  test('fails a file that exceeds the free space without sending it, and stores it on retry', async () => {
    await server.setAllocation(1000)
    store.addFiles([{ source: fileOf('a.txt', 3000) }], {})
    await settled()
    await until(() => expect(view('a.txt')).toMatchObject({ status: 'failed', exceedsQuota: true }))
    expect(view('a.txt')?.reason).toBe('Not enough free space: "a.txt" needs 2 KB more.')
    expect(server.requests).toEqual(['storage'])
    await server.setAllocation(5000)
    store.retryAll()
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
  })

  test('checks the free space for each file and stores the small files that fit', async () => {
    await server.setAllocation(500)
    const sizes = [150, 3000, 150, 150, 150]
    const files = sizes.map((size, index) => ({ source: fileOf(`${index}.txt`, size) }))
    store.addFiles(files, {})
    await until(() => expect(views().filter(({ status }) => status === 'done').length).toBe(3))
    expect(view('1.txt')).toMatchObject({ status: 'failed', exceedsQuota: true })
    expect(view('1.txt')?.reason).toContain('"1.txt" needs')
    expect(view('4.txt')).toMatchObject({ status: 'failed', exceedsQuota: true })
    expect(view('4.txt')?.reason).toContain('"4.txt" needs 100 B more')
  })

  test('stores the smaller files of a folder after the server refuses a larger one', async () => {
    server.fault = (_request, filename) =>
      filename === '0.txt'
        ? { status: 413, body: { error: 'Not enough free space.', code: 'quota_exceeded' } }
        : undefined
    const files = Array.from({ length: 20 }, (_, index) => ({
      source: fileOf(`${index}.txt`, index === 0 ? 200_000 : 100_000),
      relativePath: `Trip/${index}.txt`,
    }))
    store.addFolder('Trip', files, {})
    await settled()
    expect(told).toMatchObject([{ stored: 19, failed: 1 }])
  })

  test('fails the rest of a folder when the account has reached its item limit', async () => {
    server.fault = (request) =>
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

describe('uploading into a locked folder', () => {
  let folderId: string
  beforeEach(async () => {
    folderId = await server.createFolder('Reports')
  })
  const unlock = () => server.user.client.call(breakItemLocks, { id: folderId })

  test.each([
    ['a small file', 100],
    ['a large file', 2 * FOLDER_CHUNK_SIZE],
  ])('fails %s with the lock, and stores it on retry', async (_name, size) => {
    await server.lock(folderId)
    store.addFiles([{ source: fileOf('a.txt', size) }], { parentFolderId: folderId })
    await settled()
    await until(() => expect(view('a.txt')?.status).toBe('failed'))
    expect(view('a.txt')).toMatchObject({
      reason: 'The folder "Reports" is locked by LibreOffice on Linux. Unlock it, then try again.',
      locks: [{ itemId: folderId, name: 'Reports', app: 'LibreOffice on Linux' }],
    })
    await unlock()
    store.retryAll()
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
    await until(() => expect(view('a.txt')).toMatchObject({ status: 'done', locks: undefined }))
  })

  test('keeps the chunks that arrived before the folder was locked', async () => {
    server.fault = async (request) => {
      if (request === 'complete') await server.lock(folderId).catch(() => {})
      return undefined
    }
    const source = fileOf('a.txt', 2 * FOLDER_CHUNK_SIZE + 1)
    store.addFolder('Trip', [{ source, relativePath: 'Trip/a.txt' }], { parentFolderId: folderId })
    await settled()
    const chunks = () => server.requests.filter((request) => request.startsWith('chunk')).length
    const sent = chunks()
    expect(sent).toBeGreaterThan(1)
    server.fault = () => undefined
    await unlock()
    store.retryAll()
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
    expect(chunks()).toBe(sent)
  })
})

describe('verifying stored files', () => {
  test('counts the files that the server confirms', async () => {
    store.addFiles(
      Array.from({ length: 12 }, (_, index) => ({ source: fileOf(`${index}.txt`, 100) })),
      {},
    )
    await settled()
    await until(() =>
      expect(store.getSnapshot()).toMatchObject({ files: 12, filesStored: 12, filesVerified: 12, isVerifying: false }),
    )
  })

  test('reports a file that the server no longer has, and sends it again on retry', async () => {
    let isLost = true
    server.fault = (request) =>
      request === 'verify' && isLost ? { status: 200, body: { stored: [], gone: [] } } : undefined
    store.addFiles([{ source: fileOf('a.txt', 10) }], {})
    await settled()
    expect(told).toMatchObject([{ stored: 0, failed: 1 }])
    await until(() => expect(view('a.txt')?.reason).toContain('differs from the one that was sent'))
    isLost = false
    server.requests.length = 0
    store.retry(view('a.txt')?.id ?? '')
    await until(() => expect(view('a.txt')?.status).toBe('conflict')) // In this test the server has the file after all.
    store.resolve(view('a.txt')?.id ?? '', 'replace', false)
    await until(() => expect(store.getSnapshot().filesVerified).toBe(1))
  })
})

describe('resolving taken names', () => {
  test('resolves one taken name by itself, then all remaining names at once', async () => {
    const filesOf = (bytes: number) =>
      Array.from({ length: 30 }, (_, index) => ({ source: fileOf(`${index}.txt`, bytes) }))
    store.addFiles(filesOf(3), {})
    await settled()
    store.clearSettled()
    store.addFiles(filesOf(100), {})
    await until(() => expect(store.getSnapshot().filesInConflict).toBe(30))
    expect(views()[0]?.conflict).toMatchObject({ size: 100, lastModified: 1000, existing: { type: 'file', size: 3 } })
    store.resolve(views()[0]?.id ?? '', 'replace', false)
    await until(() => expect(store.getSnapshot()).toMatchObject({ filesInConflict: 29, filesStored: 1 }))
    store.resolve(views()[3]?.id ?? '', 'skip', true)
    await settled(2)
    expect(told[1]).toMatchObject({ stored: 1, failed: 0 })
  })
})
