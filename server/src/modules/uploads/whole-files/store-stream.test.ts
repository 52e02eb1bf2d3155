import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { fetchFile } from '@alcove/contract/bytes'
import { copyItems } from '@alcove/contract/item-calls'
import { MAX_FILE_SIZE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { listVersions } from '@alcove/contract/versions'
import { afterAll, describe, expect, it } from 'vitest'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { type Checksums, digestBytes } from '../../../platform/crypto/checksums.ts'
import { findSessionUser } from '../../../platform/http/authenticate.ts'
import {
  app,
  download,
  listIn,
  makeFolder,
  namesIn,
  readStorage,
  setUpDrive,
  switchToNewUser,
  user,
} from '../../../testing/factories/drive.ts'
import { digestBlobs, onlySha256 } from '../../storage/index.ts'
import { sweepUploads } from '../unfinished-uploads.ts'
import { assertMayStore } from './assert-may-store.ts'
import { storeStream } from './store-stream.ts'

setUpDrive()

const MEBIBYTE = 1024 * 1024
/** Of each kind: stored at once, and streamed. */
const SIZES = { small: 10_000, large: 3 * MEBIBYTE + 17 }

async function context(): Promise<UserContext> {
  const sessionUser = await findSessionUser(app.services, user.token, '127.0.0.1')
  if (!sessionUser) throw new Error('the session has ended')
  const { signal } = new AbortController()
  return {
    ...app.services,
    ...{ user: sessionUser, ip: '127.0.0.1', bearer: undefined, userAgent: '', abortSignal: () => signal },
  }
}

type Options = NonNullable<Parameters<typeof storeStream>[3]> & { folderId?: string }

/** Stores a body that arrives in pieces of 64 KiB. */
async function put(filename: string, content: Buffer | Readable, { folderId, ...options }: Options = {}) {
  const ctx = await context()
  const body = content instanceof Readable ? content : Readable.from(pieces(content), { objectMode: false })
  return storeStream(ctx, { folderId: folderId ?? ctx.user.driveRootId, filename }, body, options)
}

function* pieces(content: Buffer) {
  for (let start = 0; start < content.length; start += 65_536) yield content.subarray(start, start + 65_536)
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'stored',
    (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error)),
  )

const openUploads = () =>
  app.services.db
    .selectFrom('uploads')
    .select('id')
    .where('owner_id', '=', user.id)
    .where('completed_at', 'is', null)
    .execute()

const countVersions = async (id: string) => (await user.client.call(listVersions, { id })).body.versions.length

const digestsOf = (blobKey: string | null) =>
  app.services.db
    .selectFrom('blobs')
    .select(['sha256', 'sha1', 'md5'])
    .where('key', '=', blobKey as string)
    .executeTakeFirstOrThrow()

/** Checks that nothing is left of failed uploads, and that their bytes are gone once the jobs have run. */
async function expectNothingLeft(used: number) {
  expect(await readStorage()).toEqual({ used_bytes: used, reserved_bytes: 0 })
  expect(await openUploads()).toEqual([])
  await app.services.jobs.runDue()
  const unused: string[] = []
  const rows = await app.services.db.selectFrom('blobs').select('key').execute()
  const known = new Set(rows.map(({ key }) => key))
  await app.services.blobs.sweep(Date.UTC(9999), async (keys) => {
    unused.push(...keys.filter((key) => !known.has(key)))
    return new Set(keys)
  })
  expect(unused).toEqual([])
}

describe.each(Object.entries(SIZES))('storing a %s body', (_kind, length) => {
  const content = randomBytes(length)
  const digests = digestBytes(content)

  it.each([length, undefined])('creates a file with all three digests when the announced size is %s', async (size) => {
    const date = Date.UTC(2011, 4, 6)
    const { item, isNew } = await put('a.bin', content, { size, modifiedAt: date })
    expect(isNew).toBe(true)
    expect(item).toMatchObject({ name: 'a.bin', size: length, modified_at: date, owner_id: user.id })
    expect(await digestsOf(item.blob_key)).toEqual(digests)
    expect((await download('a.bin')).equals(content)).toBe(true)
    await expectNothingLeft(length)
  })

  it('replaces a file, keeps its old bytes as a version, and keeps its digests in a copy', async () => {
    const first = await put('a.bin', content)
    app.clock.advance(120_000)
    const other = randomBytes(length)
    const { item, isNew } = await put('a.bin', other, { size: length })
    expect(isNew).toBe(false)
    expect(item.id).toBe(first.item.id)
    expect((await download('a.bin')).equals(other)).toBe(true)
    expect(await countVersions(item.id)).toBe(1)
    expect(await readStorage()).toEqual({ used_bytes: 2 * length, reserved_bytes: 0 })
    await user.client.call(copyItems, { itemIds: [item.id] })
    const blobs = await app.services.db
      .selectFrom('items')
      .select('blob_key')
      .where('owner_id', '=', user.id)
      .where('kind', '=', 'file')
      .execute()
    expect(blobs).toHaveLength(2)
    for (const { blob_key } of blobs) expect(await digestsOf(blob_key)).toEqual(digestBytes(other))
  })

  it('makes no version of the same bytes, and learns their digests', async () => {
    const { id } = await user.client.upload('a.bin', Uint8Array.from(content))
    const { item, isNew } = await put('a.bin', content, { size: length })
    expect([item.id, isNew]).toEqual([id, false])
    expect(await countVersions(id)).toBe(0)
    expect(await digestsOf(item.blob_key)).toEqual(digests)
    await expectNothingLeft(length)
  })

  it.each<keyof Checksums>(['sha1', 'md5', 'sha256'])(
    'refuses bytes whose %s differs from the announced one',
    async (name) => {
      await put('a.bin', content)
      const wrong = { [name]: digestBytes(Buffer.from('x'))[name] }
      expect(await codeOf(put('a.bin', randomBytes(length), { checksums: wrong }))).toBe('malformed')
      expect((await download('a.bin')).equals(content)).toBe(true)
      await expectNothingLeft(length)
      expect(await codeOf(put('a.bin', content, { checksums: { [name]: digests[name] } }))).toBe('stored')
    },
  )

  it.each([-1, 1])(
    'refuses a body that differs from the announced size by %s and leaves the old file',
    async (more) => {
      await put('a.bin', content)
      const ctx = await context()
      const body = Readable.from(pieces(randomBytes(length + more)), { objectMode: false })
      const target = { folderId: ctx.user.driveRootId, filename: 'a.bin' }
      expect(await codeOf(storeStream(ctx, target, body, { size: length }))).toBe('malformed')
      expect((await download('a.bin')).equals(content)).toBe(true)
      await expectNothingLeft(length)
    },
  )

  it.each([length, undefined])(
    'refuses a body beyond the storage limit when the announced size is %s',
    async (size) => {
      await switchToNewUser({ allocatedBytes: 2 * length })
      await put('a.bin', content)
      const big = randomBytes(length + 1)
      await expect(put('a.bin', big, { size: size && length + 1 })).rejects.toMatchObject({ code: 'quota_exceeded' })
      expect((await download('a.bin')).equals(content)).toBe(true)
      await expectNothingLeft(length)
    },
  )

  it('stores one of two bodies that together exceed the storage limit', async () => {
    await switchToNewUser({ allocatedBytes: 2 * length - 1 })
    const codes = await Promise.all([codeOf(put('a', content)), codeOf(put('b', content, { size: length }))])
    expect(codes.sort()).toEqual(['quota_exceeded', 'stored'])
    await expectNothingLeft(length)
  })

  it('keeps one of two bodies that replace a file at once as a version of the other', async () => {
    await put('a.bin', content)
    app.clock.advance(120_000)
    const bodies = [randomBytes(length), randomBytes(length)]
    const stored = await Promise.all(bodies.map((body) => put('a.bin', body, { size: length })))
    expect(stored.map(({ isNew }) => isNew)).toEqual([false, false])
    expect(await namesIn()).toEqual(['a.bin'])
    const now = await download('a.bin')
    expect(bodies.some((body) => body.equals(now))).toBe(true)
    await app.services.jobs.runDue()
    expect(await countVersions(stored[0]?.item.id as string)).toBe(2)
  })

  it('creates a file once when two bodies arrive at once, and replaces it with the other', async () => {
    const stored = await Promise.all([put('a.bin', content), put('a.bin', randomBytes(length))])
    expect(stored.map(({ isNew }) => isNew).sort()).toEqual([false, true])
    expect(await namesIn()).toEqual(['a.bin'])
  })

  it('asks whether it may replace the file that has the name now', async () => {
    const refuse = (existing: unknown) => {
      seen.push(existing)
      throw new AppError('state_conflict', 'no')
    }
    const seen: unknown[] = []
    expect(await codeOf(put('a.bin', content, { assertMayReplace: refuse }))).toBe('state_conflict')
    expect(await namesIn()).toEqual([])
    const { item } = await put('a.bin', content)
    expect(await codeOf(put('a.bin', randomBytes(length), { assertMayReplace: refuse }))).toBe('state_conflict')
    expect(seen[1]).toMatchObject({ id: item.id, blob_key: item.blob_key })
    expect(seen[0]).toBeUndefined()
    expect((await download('a.bin')).equals(content)).toBe(true)
    await expectNothingLeft(length)
  })

  it("refuses a folder's name, another user's folder, the vault and names that can't be", async () => {
    const folder = await makeFolder('taken')
    expect(await codeOf(put('taken', content, { size: length }))).toBe('name_taken')
    for (const name of ['', '.', '..', 'a/b', 'a\u0000b', 'x'.repeat(256)])
      expect(await codeOf(put(name, content))).toBe('malformed')
    const ctx = await context()
    expect(await codeOf(put('a', content, { folderId: ctx.user.vaultRootId }))).not.toBe('stored')
    await switchToNewUser({})
    expect(await codeOf(put('a', content, { folderId: folder.id }))).toBe('not_found')
    await expectNothingLeft(0)
  })

  it('creates files with an app password that may only upload, and replaces none', async () => {
    const ctx = await context()
    const uploader = {
      ...ctx,
      user: { ...ctx.user, appPassword: { id: '', scope: 'upload' as const, folderId: null } },
    }
    const target = { folderId: ctx.user.driveRootId, filename: 'a.bin' }
    const send = (body: Buffer) => storeStream(uploader, target, Readable.from([body]), { size: length })
    expect(await send(content)).toMatchObject({ isNew: true, item: { name: 'a.bin' } })
    expect(await codeOf(assertMayStore(uploader, target, length))).toBe('forbidden')
    expect(await codeOf(send(randomBytes(length)))).toMatch(/forbidden|name_taken/)
    expect((await download('a.bin')).equals(content)).toBe(true)
    await expectNothingLeft(length)
  })

  it('leaves the old file and nothing else when the connection breaks', async () => {
    await put('a.bin', content)
    const server = await serve(await context())
    const { port } = server.address() as AddressInfo
    for (const headers of [{ 'content-length': String(length) }, { 'transfer-encoding': 'chunked' }]) {
      const sent = request({ port, method: 'PUT', path: '/a.bin', headers })
      sent.on('error', () => {})
      await new Promise((resolve) => sent.write(randomBytes(Math.floor(length / 2)), resolve))
      const refused = once(server, 'refused')
      sent.destroy()
      expect((await refused)[0]).toMatchObject({ code: 'malformed' })
      expect((await download('a.bin')).equals(content)).toBe(true)
      await expectNothingLeft(length)
    }
  })
})

let server: Server | undefined
afterAll(() => server?.close())

/** Starts a server that stores each body under its path, and emits `refused` with the error of one that it doesn't store. */
async function serve(ctx: UserContext): Promise<Server> {
  server?.close()
  server = createServer((received, response) => {
    const announced = received.headers['content-length']
    const target = { folderId: ctx.user.driveRootId, filename: (received.url as string).slice(1) }
    storeStream(ctx, target, received, { size: announced === undefined ? undefined : Number(announced) }).then(
      () => response.writeHead(201).end(),
      (error) => {
        response.destroy()
        server?.emit('refused', error)
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

it('stores an empty body', async () => {
  const { item } = await put('empty', Buffer.alloc(0), { size: 0 })
  expect(item.size).toBe(0)
  expect(await digestsOf(item.blob_key)).toEqual(digestBytes(Buffer.alloc(0)))
})

it.each([-1, 0, 1])('stores a body whose size differs from the largest small one by %s', async (more) => {
  const content = randomBytes(MAX_SMALL_FILE + more)
  for (const size of [content.length, undefined]) {
    const { item } = await put(`${size}`, content, { size })
    expect(await digestsOf(item.blob_key)).toEqual(digestBytes(content))
    expect((await download(`${size}`)).equals(content)).toBe(true)
  }
})

it('stores a hundred bodies at once', async () => {
  const bodies = Array.from({ length: 100 }, () => randomBytes(200_000))
  await Promise.all(bodies.map((body, index) => put(`${index}`, body, { size: index % 2 ? body.length : undefined })))
  expect(await listIn()).toHaveLength(100)
  for (const index of [0, 1, 99]) expect((await download(`${index}`)).equals(bodies[index] as Buffer)).toBe(true)
  await expectNothingLeft(100 * 200_000)
})

it('leaves the digests of a large body on a disk to the background unless the client has sent one', async () => {
  const content = randomBytes(64 * MEBIBYTE + 1)
  const digests = digestBytes(content)
  const later = await put('later', content, { size: content.length })
  expect(await digestsOf(later.item.blob_key)).toEqual(app.services.config.s3 ? digests : onlySha256(null))
  await digestBlobs(app.services, new AbortController().signal)
  expect(await digestsOf(later.item.blob_key)).toEqual(digests)
  const sent = await put('sent', content, { size: content.length, checksums: { sha1: digests.sha1 } })
  expect(await digestsOf(sent.item.blob_key)).toEqual(digests)
})

it('stores a body of several parts of an object store', async () => {
  const content = randomBytes(70 * MEBIBYTE)
  const { item } = await put('big', content)
  expect(await digestsOf(item.blob_key)).toEqual(digestBytes(content))
  const { bytes } = await user.client.raw(fetchFile, { filename: 'big' })
  expect(createHash('sha1').update(bytes).digest('hex')).toBe(digestBytes(content).sha1)
  await expectNothingLeft(content.length)
})

it('reserves the announced size before the first byte, and releases it an hour after a crash', async () => {
  const body = new Readable({ read() {} })
  const storing = codeOf(put('a', body, { size: MEBIBYTE }))
  await expect.poll(readStorage).toEqual({ used_bytes: 0, reserved_bytes: MEBIBYTE })
  app.clock.advance(3_600_000 - 1000)
  await sweepUploads(app.services)
  expect(await openUploads()).toHaveLength(1)
  // A crash leaves the row as it is.
  app.clock.advance(2000)
  await sweepUploads(app.services)
  body.destroy()
  expect(await storing).toBe('malformed')
  await expectNothingLeft(0)
})

it('keeps the reservation of a body that arrives for hours', async () => {
  const body = new Readable({ read() {} })
  const storing = put('a', body, { size: 400_000 })
  for (let round = 0; round < 4; round++) {
    body.push(Buffer.alloc(100_000))
    await expect.poll(() => body.readableLength).toBe(0)
    app.clock.advance(1_800_000)
    await sweepUploads(app.services)
  }
  body.push(null)
  expect((await storing).item.size).toBe(400_000)
})

it('deletes old versions only for what a body of unknown size needs', async () => {
  await switchToNewUser({ allocatedBytes: 5 * MEBIBYTE })
  for (let version = 0; version < 3; version++) {
    await put('a', randomBytes(MEBIBYTE))
    app.clock.advance(26 * 3_600_000)
  }
  const { item } = await put('b', randomBytes(2.5 * MEBIBYTE))
  expect(item.size).toBe(2.5 * MEBIBYTE)
  const a = (await listIn()).find(({ name }) => name === 'a')
  expect(await countVersions(a?.id as string)).toBe(1)
})

describe('the check before a body is read', () => {
  const check = async (filename: string, size?: number) => {
    const ctx = await context()
    return codeOf(assertMayStore(ctx, { folderId: ctx.user.driveRootId, filename }, size).then(() => {}))
  }

  it('refuses what would be refused afterwards', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    await makeFolder('folder')
    expect(await check('a', 1000)).toBe('stored')
    expect(await check('a')).toBe('stored')
    expect(await check('a', 1001)).toBe('quota_exceeded')
    expect(await check('folder', 1)).toBe('name_taken')
    expect(await check('..', 1)).toBe('malformed')
    expect(await check('a', MAX_FILE_SIZE + 1)).toBe('too_large')
  })
})
