import '../lib/testing/browser-globals.ts'
import { createHash } from 'node:crypto'
import type { File as StoredFile } from '@alcove/contract/items'
import { FOLDER_CHUNK_SIZE, MEBIBYTE } from '@alcove/contract/limits'
import { beforeEach, expect, test, vi } from 'vitest'
import type { UploadSeal } from './chunked-upload.ts'
import { createUploadEnvironment } from './chunked-upload.ts'
import { server, setUpServer } from './testing/test-server.ts'
import type { NewUpload } from './transfer.ts'
import type { UnfinishedUpload } from './unfinished-uploads.ts'
import { UploadQueue } from './upload-queue.ts'

/** Three chunks. */
const size = FOLDER_CHUNK_SIZE * 2 + MEBIBYTE

setUpServer()

let target: { parentFolderId: string; isEncrypted: true }
let kept: Map<string, UnfinishedUpload>
let digests: Map<number, string>
let store: UploadQueue
let completed: (string | undefined)[]
let storedFiles: StoredFile[]
/** Makes the browser's storage fail to store, read or delete digests. */
let isFull: boolean
let isUnreadable: boolean
let isStuck: boolean

beforeEach(async () => {
  target = { parentFolderId: await server.createFolder('Films', true), isEncrypted: true }
  kept = new Map()
  digests = new Map()
  completed = []
  storedFiles = []
  isFull = false
  isUnreadable = false
  isStuck = false
  store = await openStore()
})

/** Creates the queue of a page that was just loaded. */
async function openStore(): Promise<UploadQueue> {
  const { transport } = server
  const opened = new UploadQueue(
    createUploadEnvironment({
      transport: {
        ...transport,
        completeUpload: (input, signal) => {
          completed.push(input.vaultCheck)
          return transport.completeUpload(input, signal)
        },
      },
      connection: { isOnline: () => true, subscribe: () => () => {} },
      firstDelay: 1,
    }),
    {
      remember: async (uploads) => {
        for (const upload of uploads) kept.set(upload.uploadId, upload)
      },
      forget: (uploadId) => void kept.delete(uploadId),
      abandon: async (uploadId) => !isStuck && (kept.delete(uploadId) || true),
      noteChunk: async (_uploadId, index, digest) => !isFull && Boolean(digests.set(index, digest)),
      listChunks: async () => (isUnreadable ? undefined : new Map(digests)),
      takeOver: async (_owner, onFound) => onFound([...kept.values()]),
    },
  )
  opened.listen({ stored: (file) => storedFiles.push(file) })
  await opened.open('mara@example.com')
  return opened
}

/** Imitates a source that encrypts: its bytes depend on its seal and its passphrase. */
function sealed(passphrase: string, seal: UploadSeal, fill = 7, length = size): NewUpload['source'] {
  const key = createHash('sha256').update(`${passphrase} ${seal.salt} ${seal.iv}`).digest()[0] as number
  return {
    ...{ name: 'film.mov', size: length, lastModified: 1000, seal },
    slice: async (start, end) => new Uint8Array(end - start).fill(fill ^ key),
    checkValue: async () => checkOf(passphrase),
    withSeal: (other) => sealed(passphrase, other, fill, length) as Required<NewUpload['source']>,
  }
}

const checkOf = (passphrase: string) => createHash('sha256').update(`check of ${passphrase}`).digest('base64url')

const first = { salt: 'first', iv: 'a' }
const second = { salt: 'second', iv: 'b' }
const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 })
const stored = () => until(() => expect(store.getSnapshot().views).toMatchObject([{ status: 'done' }]))

/** Asserts that the file stored last has the bytes of a source. */
async function assertStored(source: NewUpload['source']): Promise<void> {
  const bytes = await server.download(storedFiles.at(-1) as StoredFile)
  expect(bytes.equals((await source.slice(0, source.size)) as Uint8Array)).toBe(true)
}

/** Pauses the uploads and reloads the page. */
async function leave(): Promise<void> {
  store.pauseAll()
  store = await openStore()
  await until(() => expect(store.getSnapshot().views).toMatchObject([{ filesNeeded: 1, isEncrypted: true }]))
  server.fault = () => undefined
}

/** Reloads the page when two of the three chunks have arrived. The last one hangs. */
async function interrupt(): Promise<void> {
  const reached = new Promise<void>((resolve) => {
    server.fault = (request) => {
      if (!request.startsWith('chunk') || chunksSent() < 3) return undefined
      resolve()
      return 'hang'
    }
  })
  store.addFiles([{ source: sealed('right', first) }], target)
  await reached
  await server.untilIdle()
  await leave()
  await until(() => expect(store.getSnapshot().views[0]?.sent).toBe(2 * FOLDER_CHUNK_SIZE))
  server.requests.length = 0
}

const chunksSent = () => server.requests.filter((one) => one.startsWith('chunk')).length

test('resumes an encrypted upload under its old seal, with its first passphrase', async () => {
  await interrupt()
  store.addFiles([{ source: sealed('right', second) }], target)
  await stored()
  expect(chunksSent()).toBe(1)
  await assertStored(sealed('right', first))
  expect(completed).toEqual([checkOf('right')])
  expect(storedFiles).toMatchObject([
    { vaultCheck: checkOf('right'), isEncrypted: true, modifiedAt: '1970-01-01T00:00:01.000Z' },
  ])
  expect(kept.size).toBe(0)
})

test.each([
  ['another passphrase', sealed('other', second)],
  ['other bytes', sealed('right', second, 8)],
])('restarts an encrypted upload under a new seal when it resumes with %s', async (_what, source) => {
  await interrupt()
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(3)
  expect(server.requests).toContain('cancel')
  await assertStored(source)
})

test('restarts an encrypted upload under a new seal when the digest of a sent chunk is missing', async () => {
  await interrupt()
  digests.delete([...digests.keys()][0] as number)
  const source = sealed('right', second)
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(3)
  await assertStored(source)
})

test('restarts an encrypted upload under a new seal when the digests cannot be read', async () => {
  await interrupt()
  isUnreadable = true
  const source = sealed('right', second)
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(3)
  await assertStored(source)
})

test('deletes the resume record before it sends a chunk whose digest cannot be stored', async () => {
  isFull = true
  const keptAtChunk: number[] = []
  server.fault = (request) => {
    if (request.startsWith('chunk')) keptAtChunk.push(kept.size)
    return undefined
  }
  const source = sealed('right', first)
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(3)
  // The record is deleted before the first chunk is sent.
  expect(keptAtChunk).toEqual([0, 0, 0])
  await assertStored(source)
})

test('sends no chunk when it can neither store the digest nor delete the resume record', async () => {
  isFull = true
  isStuck = true
  store.addFiles([{ source: sealed('right', first) }], target)
  await until(() => expect(store.getSnapshot().views).toMatchObject([{ status: 'failed' }]))
  expect(store.getSnapshot().views[0]?.reason).toContain("This browser's storage failed")
  expect(chunksSent()).toBe(0)
})

test('fails when the file changes during the upload, and restarts under a new seal on retry', async () => {
  const changed = sealed('right', second, 8)
  const begun = sealed('right', first)
  let hasChanged = false
  const slice = (start: number, end: number) => {
    if (start < 2 * FOLDER_CHUNK_SIZE) return begun.slice(start, end)
    hasChanged = true
    throw new Error('The file has changed.')
  }
  store.addFiles([{ source: { ...begun, slice, renewed: () => (hasChanged ? changed : undefined) } as never }], target)
  await until(() =>
    expect(store.getSnapshot().views).toMatchObject([{ status: 'failed', reason: 'The file has changed.' }]),
  )
  await server.untilIdle()
  const [old] = await server.listUploads()
  expect(old).toMatchObject({ completed_at: null })
  server.requests.length = 0
  store.retry(store.getSnapshot().views[0]?.id ?? '')
  await stored()
  expect(chunksSent()).toBe(3)
  await assertStored(changed)
  // Nothing of the old upload is left, here or on the server.
  await until(() => expect(server.requests).toContain('cancel'))
  await server.untilIdle()
  const uploadIds = (await server.listUploads()).map(({ id }) => id)
  expect(uploadIds).toHaveLength(1)
  expect(uploadIds).not.toContain(old?.id)
  expect(kept.size).toBe(0)
})

test('never resumes a vault upload with a file that is not encrypted', async () => {
  await interrupt()
  const plain = { source: new File([new Uint8Array(size).fill(7)], 'film.mov', { lastModified: 1000 }) }
  expect(await store.chooseAgain([plain])).toEqual({ resumed: 0, changed: [], others: [plain] })
  store.addFiles([plain], { parentFolderId: await server.createFolder('Films') })
  await until(() => expect(store.getSnapshot().views).toMatchObject([{ filesNeeded: 1 }, { status: 'done' }]))
})

test('restarts a one-chunk encrypted upload after a reload and sends its check value', async () => {
  server.fault = (request) => (request.startsWith('chunk') ? 'hang' : undefined)
  store.addFiles([{ source: sealed('right', first, 7, 1000) }], target)
  await until(() => expect(server.requests).toContain('chunk 0'))
  await leave()
  const source = sealed('right', second, 7, 1000)
  store.addFiles([{ source }], target)
  await stored()
  expect(storedFiles).toMatchObject([{ vaultCheck: checkOf('right') }])
  await assertStored(source)
  expect(store.getSnapshot().views[0]?.note).toBeUndefined()
})
