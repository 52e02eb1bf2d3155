import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ListMultipartUploadsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../errors.ts'
import { createS3Client } from '../../testing/engines/s3-client.ts'
import { IMPATIENT, openTestStore, type TestS3 } from '../../testing/engines/s3-store.ts'
import { describeBlobStore } from './blob-store.suite.ts'
import { type BlobStore, createBlobKey } from './blob-store.ts'

const MIB = 1024 * 1024
const MAX = 64 * MIB

describeBlobStore('the blob store on S3', openTestStore)

describe('S3BlobStore', () => {
  let s3: TestS3
  let client: S3Client
  /** Two servers with one bucket and one database. */
  let servers: readonly [BlobStore, BlobStore]
  beforeAll(async () => {
    s3 = await openTestStore()
    client = createS3Client(s3.engine.settings)
    servers = [s3.store, s3.openAnother()]
  })
  afterEach(() => {
    s3.engine.fault = undefined
  })
  afterAll(async () => {
    client.destroy()
    await s3.close()
  })

  const read = (key: string, store = s3.store) => buffer(store.openStream(key))
  const chunksOf = (...sizes: number[]) => sizes.map((size) => randomBytes(size))
  const sizesOf = (chunks: readonly Buffer[]) => chunks.map((chunk) => chunk.length)

  /** Sends a chunk in more than one piece. */
  function send(key: string, chunks: readonly Buffer[], index: number, store: BlobStore = s3.store): Promise<number> {
    const chunk = chunks[index] as Buffer
    const offset = index * (chunks[0] as Buffer).length
    const half = chunk.length >> 1
    return store.writeChunk(key, { index, offset }, Readable.from([chunk.subarray(0, half), chunk.subarray(half)]), MAX)
  }

  /** Returns what the store contains and the database records of a blob. */
  async function traces(key: string) {
    const Bucket = s3.engine.settings.bucket
    const names: string[] = []
    for (const Prefix of [`blobs/${key}`, `chunks/${key}/`]) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
      names.push(...Contents.map(({ Key = '' }) => Key.replace(key, 'KEY')))
    }
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: `blobs/${key}` }))
    const rows = await s3.db.selectFrom('unsealed_blobs').selectAll().where('key', '=', key).execute()
    return { names, uploads: Uploads.length, rows: rows.length }
  }
  const onlyTheBlob = { names: ['blobs/KEY'], uploads: 0, rows: 0 }
  const nothing = { names: [], uploads: 0, rows: 0 }

  it('stores large chunks as parts and leaves nothing beside the sealed blob', async () => {
    const key = createBlobKey()
    const chunks = chunksOf(5 * MIB, 5 * MIB, 3)
    for (const index of [2, 0, 1]) await send(key, chunks, index)
    expect(await traces(key)).toEqual({ names: ['chunks/KEY/2'], uploads: 1, rows: 1 })
    for (let twice = 0; twice < 2; twice++) await s3.store.seal(key, sizesOf(chunks))
    expect((await read(key)).equals(Buffer.concat(chunks))).toBe(true)
    expect(await traces(key)).toEqual(onlyTheBlob)
  })

  it.each([
    ['many small chunks', [...Array.from({ length: 30 }, () => 700 * 1024), 5]],
    ['small chunks before a large last one', [...Array.from({ length: 11 }, () => MIB), 6 * MIB]],
    ['less than a part before a large last chunk', [100, 6 * MIB]],
    ['a large chunk and an empty last one', [5 * MIB, 0]],
    ['an empty chunk', [0]],
  ])('makes one blob of chunks of any size: %s', async (_what, sizes) => {
    const key = createBlobKey()
    const chunks = chunksOf(...sizes)
    for (const index of chunks.keys()) await send(key, chunks, chunks.length - 1 - index)
    await s3.store.seal(key, sizes)
    expect((await read(key)).equals(Buffer.concat(chunks))).toBe(true)
    expect(await traces(key)).toEqual(onlyTheBlob)
  })

  it('accepts concurrent and repeated chunks on any server, and seals on either', async () => {
    const key = createBlobKey()
    const chunks = chunksOf(5 * MIB, 5 * MIB, 5 * MIB, 17)
    const sent = [0, 1, 2, 3, 3, 2, 1, 0].map((index, turn) => send(key, chunks, index, servers[turn % 2]))
    await Promise.all(sent)
    expect((await traces(key)).uploads).toBe(1)
    await Promise.all(servers.map((server) => server.seal(key, sizesOf(chunks))))
    expect((await read(key, s3.openAnother())).equals(Buffer.concat(chunks))).toBe(true)
    expect(await traces(key)).toEqual(onlyTheBlob)
  })

  it('replaces a chunk that is sent again after sealing, whatever its size', async () => {
    const key = createBlobKey()
    const first = chunksOf(5 * MIB, 5 * MIB, 9)
    for (const index of first.keys()) await send(key, first, index)
    await s3.store.seal(key, sizesOf(first))
    const second = [first[0], randomBytes(5 * MIB), first[2]] as Buffer[]
    await send(key, second, 1, servers[1])
    await s3.store.seal(key, sizesOf(second))
    expect((await read(key)).equals(Buffer.concat(second))).toBe(true)
    const third = [first[0], second[1], randomBytes(9)] as Buffer[]
    await send(key, third, 2)
    await s3.store.seal(key, sizesOf(third))
    expect((await read(key)).equals(Buffer.concat(third))).toBe(true)
    expect(await traces(key)).toEqual(onlyTheBlob)
  })

  it('keeps the last version of a chunk that was sent with two sizes', async () => {
    const key = createBlobKey()
    const [large, small] = [chunksOf(5 * MIB, 6 * MIB), chunksOf(5 * MIB, 7)]
    await send(key, large, 0)
    await send(key, large, 1)
    await send(key, small, 1)
    await s3.store.seal(key, [5 * MIB, 7])
    expect((await read(key)).equals(Buffer.concat([large[0] as Buffer, small[1] as Buffer]))).toBe(true)
  })

  it('removes and sweeps blobs that were never sealed without leaving a trace', async () => {
    const [removed, swept, used] = [createBlobKey(), createBlobKey(), createBlobKey()]
    const chunks = chunksOf(5 * MIB, 5 * MIB, 4)
    for (const key of [removed, swept, used]) for (const index of [0, 2]) await send(key, chunks, index)
    await servers[1].remove(removed)
    expect(await traces(removed)).toEqual(nothing)
    const isUsed = async (keys: string[]) => new Set(keys.filter((key) => key !== swept))
    expect(await s3.store.sweep(Date.now() - 60_000, isUsed)).toBe(0)
    expect(await s3.store.sweep(Date.now() + 60_000, isUsed)).toBe(2)
    expect(await traces(swept)).toEqual(nothing)
    await send(used, chunks, 1)
    await s3.store.seal(used, sizesOf(chunks))
    expect((await read(used)).equals(Buffer.concat(chunks))).toBe(true)
  })

  const streamOf = (...pieces: Buffer[]) => Readable.from(pieces, { objectMode: false })
  const spooled = () => readdir(join(s3.dataDir, 'one', 'spool'))

  it('stores a stream of more than 64 MiB in parts, and leaves nothing beside the blob', async () => {
    const key = createBlobKey()
    const pieces = chunksOf(40 * MIB, 40 * MIB, 60 * MIB)
    const size = 140 * MIB
    expect(await s3.store.streamWhole(key, streamOf(...pieces), size)).toBe(size)
    expect((await read(key)).equals(Buffer.concat(pieces))).toBe(true)
    expect(await traces(key)).toEqual(onlyTheBlob)
    expect(await spooled()).toEqual([])
  })

  it('stores a stream of exactly 64 MiB as one object', async () => {
    const key = createBlobKey()
    const [content] = chunksOf(64 * MIB) as [Buffer]
    expect(await s3.store.streamWhole(key, streamOf(content), 65 * MIB)).toBe(64 * MIB)
    expect((await read(key)).equals(content)).toBe(true)
    expect(await traces(key)).toEqual(onlyTheBlob)
  })

  it.each(['the stream breaks off', 'the stream is too long'])(
    'leaves nothing behind once a blob is removed after %s',
    async (how) => {
      const key = createBlobKey()
      const breaks = how === 'the stream breaks off'
      async function* bytes() {
        for (let piece = 0; piece < 70; piece++) yield Buffer.alloc(MIB)
        if (breaks) throw new Error('aborted')
      }
      const stream = Readable.from(bytes(), { objectMode: false })
      await expect(s3.store.streamWhole(key, stream, breaks ? 80 * MIB : 68 * MIB)).rejects.toThrow()
      expect(await s3.store.sizeOf(key)).toBeUndefined()
      expect(await spooled()).toEqual([])
      await s3.store.remove(key)
      expect(await traces(key)).toEqual(nothing)
    },
  )

  it('passes small blobs to programs as bytes, and large ones as a temporary file', async () => {
    const [small, large] = [createBlobKey(), createBlobKey()]
    const content = randomBytes(100_000)
    await s3.store.writeWhole(small, Buffer.from('few'))
    await s3.store.streamWhole(large, Readable.from([content]), MAX)
    expect(await s3.store.withContent(small, async (bytes) => String(bytes))).toBe('few')
    let fetched = 0
    s3.engine.fault = (request) => {
      if (request.method === 'GET') fetched += 1
      return false
    }
    const compare = async (path: Uint8Array | string) => {
      expect((await readFile(path as string)).equals(content)).toBe(true)
    }
    const { promise: allHere, resolve } = Promise.withResolvers<void>()
    let here = 0
    const compareTogether = async (path: Uint8Array | string) => {
      here += 1
      if (here === 3) resolve()
      await allHere
      await compare(path)
    }
    await Promise.all([1, 2, 3].map(() => s3.store.withContent(large, compareTogether)))
    await s3.store.withContent(large, compare)
    expect(fetched).toBe(s3.engine.isReal ? 0 : 1)
    const lost = s3.store.withContent(createBlobKey(), (path) => readFile(path as string))
    await expect(lost).rejects.toThrow(/ENOENT/)
    const staging = join(s3.dataDir, 'one', 'spool')
    await vi.waitFor(async () => expect(await readdir(staging)).toEqual([]), { timeout: 5000 })
  })

  describe('a store that fails', () => {
    const unavailable = {
      code: 'unavailable',
      message: expect.stringMatching(/^The file storage is not responding/),
    }

    it.runIf(!process.env.ALCOVE_TEST_S3_ENDPOINT)('retries requests when the store fails for a moment', async () => {
      const key = createBlobKey()
      const chunks = chunksOf(5 * MIB, 300_000)
      let requests = 0
      s3.engine.fault = (request, response) => {
        if (requests++ % 2 === 1) return false
        // Some requests are refused, and the connection of others breaks in the middle.
        if (requests % 4 === 1) response.writeHead(503).end()
        else {
          // A request that has been read doesn't close its connection.
          const breakOff = () => request.socket.destroy()
          request.once('data', breakOff).once('end', breakOff)
        }
        return true
      }
      for (const index of chunks.keys()) await send(key, chunks, index)
      await s3.store.seal(key, sizesOf(chunks))
      expect((await read(key)).equals(Buffer.concat(chunks))).toBe(true)
      await s3.store.remove(key)
      expect(requests).toBeGreaterThan(10)
    })

    it.runIf(!process.env.ALCOVE_TEST_S3_ENDPOINT)(
      'fails a stream whose parts are refused, and leaves no staging file',
      async () => {
        const key = createBlobKey()
        s3.engine.fault = (request, response) => {
          if (request.method !== 'PUT') return false
          request.resume().once('end', () => response.writeHead(503).end())
          return true
        }
        const pieces = Array.from({ length: 140 }, () => Buffer.alloc(MIB))
        await expect(s3.store.streamWhole(key, streamOf(...pieces), 140 * MIB)).rejects.toMatchObject(unavailable)
        expect(await spooled()).toEqual([])
        s3.engine.fault = undefined
        await s3.store.remove(key)
        expect(await traces(key)).toEqual(nothing)
      },
    )

    it.runIf(!process.env.ALCOVE_TEST_S3_ENDPOINT)('resumes a download where the connection broke', async () => {
      const key = createBlobKey()
      const content = randomBytes(3 * MIB)
      await s3.store.streamWhole(key, Readable.from([content]), MAX)
      let breaks = 2
      s3.engine.fault = (request, response) => {
        if (breaks === 0) return false
        breaks--
        const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
        response.writeHead(206, {
          'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
          'content-length': content.length - start,
        })
        response.write(content.subarray(start, start + MIB), () => response.destroy())
        return true
      }
      expect((await read(key)).equals(content)).toBe(true)
      expect(breaks).toBe(0)
    })

    it.runIf(!process.env.ALCOVE_TEST_S3_ENDPOINT).each([
      ['hangs', () => true],
      [
        'is overloaded',
        (_request: unknown, response: { writeHead(status: number): { end(): void } }) => {
          response.writeHead(503).end()
          return true
        },
      ],
    ])('reports that it is unavailable before sending anything and loses nothing if it %s', async (_how, fault) => {
      const key = createBlobKey()
      const chunks = chunksOf(5 * MIB, 11)
      await send(key, chunks, 0)
      s3.engine.fault = fault as NonNullable<typeof s3.engine.fault>
      const impatient = s3.openAnother(IMPATIENT)
      const refusals = await Promise.allSettled([
        send(key, chunks, 1, impatient),
        impatient.seal(key, sizesOf(chunks)),
        impatient.send(key, { start: 0, end: 9 }, () => expect.unreachable() as PassThrough),
        impatient.remove(key),
      ])
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ status: 'rejected', reason: unavailable })
        expect((refusal as PromiseRejectedResult).reason).toBeInstanceOf(AppError)
      }
      s3.engine.fault = undefined
      await send(key, chunks, 1)
      await s3.store.seal(key, sizesOf(chunks))
      expect((await read(key)).equals(Buffer.concat(chunks))).toBe(true)
    })
  })
})
