import '../lib/testing/browser-globals.ts'
import { createHash } from 'node:crypto'
import { FOLDER_CHUNK_SIZE, MEBIBYTE } from '@alcove/contract/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UploadSeal } from './chunked-upload.ts'
import { createUploadEnvironment } from './chunked-upload.ts'
import { startUploadServer, type UploadServer } from './testing/upload-server.ts'
import type { NewUpload } from './transfer.ts'
import type { UnfinishedUpload } from './unfinished-uploads.ts'
import { UploadQueue } from './upload-queue.ts'

const size = FOLDER_CHUNK_SIZE * 3 + MEBIBYTE
const target = { parentFolderId: 'p', isEncrypted: true }

let server: UploadServer
let kept: Map<string, UnfinishedUpload>
let digests: Map<number, string>
let store: UploadQueue
let completed: (string | undefined)[]
/** The browser's storage takes no digest, gives none back, deletes nothing. */
let isFull: boolean
let isUnreadable: boolean
let isStuck: boolean

beforeEach(async () => {
  server = await startUploadServer()
  kept = new Map()
  digests = new Map()
  completed = []
  isFull = false
  isUnreadable = false
  isStuck = false
  store = await openStore()
})
afterEach(() => server.stop())

/** A store as a page has it that was just loaded. */
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
  await opened.open('mara@example.com')
  return opened
}

/** Stands for a source that encrypts: what it gives depends on its seal and its passphrase. */
function sealed(passphrase: string, seal: UploadSeal, fill = 7, length = size): NewUpload['source'] {
  const key = createHash('sha256').update(`${passphrase} ${seal.salt} ${seal.iv}`).digest()[0] as number
  return {
    ...{ name: 'film.mov', size: length, lastModified: 1000, seal },
    slice: async (start, end) => new Uint8Array(end - start).fill(fill ^ key),
    checkValue: async () => `check of ${passphrase}`,
    withSeal: (other) => sealed(passphrase, other, fill, length) as Required<NewUpload['source']>,
  }
}

const first = { salt: 'first', iv: 'a' }
const second = { salt: 'second', iv: 'b' }
const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })
const stored = () => until(() => expect(store.getSnapshot().views).toMatchObject([{ status: 'done' }]))
const bytesOfLast = () => new Set(server.bytesOf([...server.uploads.keys()].at(-1) ?? ''))

/** What a source would have stored, as the different bytes that are in it. */
async function bytesOf(source: NewUpload['source']) {
  return new Set((await source.slice(0, 10)) as Uint8Array)
}

/** The page is loaded anew. The server refuses chunks until what the old page had sent has come in. */
async function leave(): Promise<void> {
  store.pauseAll()
  store = await openStore()
  await until(() => expect(store.getSnapshot().views).toMatchObject([{ filesNeeded: 1, isEncrypted: true }]))
  server.state.trouble = () => undefined
}

/** Two of the four chunks are sent, then the page is loaded anew. */
async function interrupt(): Promise<number> {
  const reached = new Promise<void>((resolve) => {
    server.state.trouble = (request) => {
      if (!request.startsWith('chunk') || server.requests.filter((one) => one.startsWith('chunk')).length < 3) return
      resolve()
      return { status: 503 }
    }
  })
  store.addFiles([{ source: sealed('right', first) }], target)
  await reached
  await leave()
  await until(() => expect(store.getSnapshot().views[0]?.sent).toBeGreaterThan(0))
  server.requests.length = 0
  return server.uploads.values().next().value?.chunks.size ?? 0
}

const chunksSent = () => server.requests.filter((one) => one.startsWith('chunk')).length

test('what is encrypted goes on under its old seal, with the passphrase it began with', async () => {
  const there = await interrupt()
  store.addFiles([{ source: sealed('right', second) }], target)
  await stored()
  expect(chunksSent()).toBe(4 - there)
  expect(bytesOfLast()).toEqual(await bytesOf(sealed('right', first)))
  expect(completed.at(-1)).toBe('check of right')
  expect(kept.size).toBe(0)
})

test.each([
  ['another passphrase', sealed('other', second)],
  ['other bytes', sealed('right', second, 8)],
])('with %s it starts again, under a new seal', async (_what, source) => {
  await interrupt()
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(4)
  expect(server.requests).toContain('cancel')
  expect(bytesOfLast()).toEqual(await bytesOf(source))
})

test('with a chunk that cannot be proved it starts again, under a new seal', async () => {
  await interrupt()
  digests.delete([...digests.keys()][0] as number)
  const source = sealed('right', second)
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(4)
  expect(bytesOfLast()).toEqual(await bytesOf(source))
})

test('does not resume under the old seal when the digests cannot be read', async () => {
  await interrupt()
  isUnreadable = true
  const source = sealed('right', second)
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(4)
  expect(bytesOfLast()).toEqual(await bytesOf(source))
})

test('an upload whose digests cannot be stored completes, but no later page can resume it', async () => {
  isFull = true
  server.state.trouble = (request) => {
    // The record is gone before a chunk leaves.
    if (request.startsWith('chunk')) expect(kept.size).toBe(0)
    return undefined
  }
  const source = sealed('right', first)
  store.addFiles([{ source }], target)
  await stored()
  expect(chunksSent()).toBe(4)
  expect(bytesOfLast()).toEqual(await bytesOf(source))
})

test('sends nothing when neither the digest can be stored nor the upload be forgotten', async () => {
  isFull = true
  isStuck = true
  store.addFiles([{ source: sealed('right', first) }], target)
  await until(() => expect(store.getSnapshot().views).toMatchObject([{ status: 'failed' }]))
  expect(store.getSnapshot().views[0]?.reason).toContain("This browser's storage failed")
  expect(chunksSent()).toBe(0)
})

test('a file that changed meanwhile fails, and tried again it begins anew under a new seal', async () => {
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
  const [old] = [...server.uploads.keys()]
  server.requests.length = 0
  store.retry(store.getSnapshot().views[0]?.id ?? '')
  await stored()
  expect(chunksSent()).toBe(4)
  expect(bytesOfLast()).toEqual(await bytesOf(changed))
  // Of the old one nothing is left, here or on the server.
  await until(() => expect([...server.uploads.keys()]).not.toContain(old))
  expect(kept.size).toBe(0)
})

test('a file that is not encrypted never goes on with an upload to the vault', async () => {
  await interrupt()
  const plain = { source: new File([new Uint8Array(size).fill(7)], 'film.mov', { lastModified: 1000 }) }
  expect(await store.chooseAgain([plain])).toEqual({ resumed: 0, changed: [], others: [plain] })
  store.addFiles([plain], { parentFolderId: 'p' })
  await until(() => expect(store.getSnapshot().views).toMatchObject([{ filesNeeded: 1 }, { status: 'done' }]))
})

test('a file of one chunk takes its check value along, and has nothing to go on with after a reload', async () => {
  server.state.trouble = (request) => (request.startsWith('chunk') ? { status: 503 } : undefined)
  store.addFiles([{ source: sealed('right', first, 7, 1000) }], target)
  await until(() => expect(server.requests).toContain('chunk 0'))
  await leave()
  const source = sealed('right', second, 7, 1000)
  store.addFiles([{ source }], target)
  await stored()
  const upload = [...server.uploads.values()].at(-1)
  expect(upload?.fields.vaultCheck).toBe('check of right')
  expect(bytesOfLast()).toEqual(await bytesOf(source))
  expect(store.getSnapshot().views[0]?.note).toBeUndefined()
})
