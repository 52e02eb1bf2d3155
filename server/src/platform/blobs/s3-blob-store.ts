import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { S3Settings } from '../../config.ts'
import { KeyedLock } from '../concurrency.ts'
import type { Database } from '../db/database.ts'
import type { BlobStore, ByteRange, ChunkPlace, KnownPlace, StagedChunk } from './blob-store.ts'
import { readCounting, writeNew } from './copy-file.ts'
import { MAX_REMOVED, readObject, S3Bucket } from './s3-bucket.ts'
import { completeOnS3, isPart, type S3Connections } from './s3-complete.ts'
import { blobName, chunkName, chunksOf, IncompleteBlobs } from './s3-layout.ts'
import { RemovalBatcher, sweepS3 } from './s3-removal.ts'
import { splitStream } from './split-stream.ts'
import { LocalCopies, StagedBytes, StagingFiles } from './staging-files.ts'
import { STORE_TIMES, type StoreTimes } from './store-retries.ts'

/** Other programs get blobs of up to this size as bytes, larger ones as a file. */
const SMALL_BLOB = 64 * 1024

/** The parts of a blob that is streamed. With 10,000 of them, which is the most S3 accepts, it can have 625 GiB. */
const STREAMED_PART = 64 * 1024 * 1024

/** How long a file for other programs is kept after its last use, in milliseconds. */
const LINGER = 60_000

interface S3Options {
  db: Database
  dataDir: string
  times?: StoreTimes | undefined
  linger?: number
}

/**
 * Stores blobs as objects of an S3 bucket. A chunk is a part of a multipart upload; one that can't be (`isPart`) is an object beside
 * the blob until the blob is sealed. The database (`IncompleteBlobs`) and the store know the uploads, so any chunk can go to any
 * server. The bytes of a chunk are staged on this machine's disk until all have arrived.
 */
export class S3BlobStore implements BlobStore {
  readonly #bucket: S3Bucket
  readonly #incomplete: IncompleteBlobs
  readonly #staging: StagingFiles
  readonly #copies: LocalCopies
  readonly #removals = new RemovalBatcher(MAX_REMOVED, (keys) => this.#removeAll(keys))
  /** Serializes finding the upload of a blob, and sealing it. */
  readonly #locks = new KeyedLock()

  constructor(settings: S3Settings, { db, dataDir, times = STORE_TIMES, linger = LINGER }: S3Options) {
    this.#bucket = new S3Bucket(settings, times)
    this.#incomplete = new IncompleteBlobs(db)
    this.#staging = new StagingFiles(join(dataDir, 'spool'))
    this.#copies = new LocalCopies(this.#staging, linger)
  }

  /** Checks the state of the store before it is needed. */
  probe(): ReturnType<S3Bucket['probe']> {
    return this.#bucket.probe()
  }

  async writeChunk(key: string, place: KnownPlace, bytes: Readable, maxSize: number): Promise<number> {
    const staged = await this.#spoolAll(bytes, maxSize)
    await this.placeChunk(key, place, staged)
    return staged.size
  }

  async writeWhole(key: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(blobName(key), StagedBytes.of(bytes))
  }

  async streamWhole(key: string, bytes: Readable, maxSize: number): Promise<number> {
    bearErrors(bytes)
    const sizes: number[] = []
    let sending: Promise<void> = Promise.resolve()
    let size = 0
    try {
      for await (const part of splitStream(bytes, STREAMED_PART)) {
        const staged = await this.#staging.take(part.bytes, Math.min(STREAMED_PART, maxSize - size))
        const place = { index: sizes.length, offset: size }
        const send = () => (part.isOnly() ? this.#putWhole(key, staged) : this.placeChunk(key, place, staged))
        // The next part arrives while this one is sent.
        sending = sending.then(send, async (error) => {
          await this.#staging.drop(staged)
          throw error
        })
        sending.catch(() => {})
        sizes.push(staged.size)
        size += staged.size
      }
      await sending
      if (sizes.length > 1) await this.seal(key, sizes)
      return size
    } finally {
      // Otherwise a part could arrive after the blob was removed.
      await Promise.allSettled([sending])
    }
  }

  copyFile(key: string, source: string, _size: number, onBytes: (bytes: number) => void): Promise<number> {
    return this.streamWhole(key, readCounting(source, onBytes), Number.MAX_SAFE_INTEGER)
  }

  copyTo(key: string, target: string, onBytes: (bytes: number) => void): Promise<number> {
    return writeNew(target, this.openStream(key), onBytes)
  }

  /** The space of the store is not known. */
  async assertFits(): Promise<void> {}

  /** Staged chunks stay on this machine: the request that brought one also places it. */
  stageChunk(bytes: Readable, maxSize: number): Promise<StagedChunk> {
    return this.#spoolAll(bytes, maxSize)
  }

  async placeChunk(
    key: string,
    { index, offset, mayBePart = true }: ChunkPlace & Partial<KnownPlace>,
    chunk: StagedChunk,
  ): Promise<void> {
    if (!(chunk instanceof StagedBytes)) throw new Error('only what was staged here can be placed')
    try {
      if (mayBePart && isPart(offset, chunk.size)) return await this.#putPart(key, index, chunk)
      await this.#incomplete.note(key)
      await this.#bucket.put(chunkName(key, index), chunk)
    } finally {
      await this.#staging.drop(chunk)
    }
  }

  dropStagedChunk(chunk: StagedChunk): Promise<void> {
    return this.#staging.drop(chunk)
  }

  /** A parked chunk is an object like every chunk that is no part: sealing moves it to its place. */
  async unparkChunk(): Promise<void> {}

  async dropParkedChunk(): Promise<void> {}

  async seal(key: string, sizes: readonly number[]): Promise<void> {
    await this.#locks.take(key, () => completeOnS3(this.#doors, key, sizes))
  }

  async send(key: string, range: ByteRange, begin: () => Writable): Promise<void> {
    const bytes = readObject(this.#bucket, blobName(key), range)
    // `begin` is called only when the first bytes have arrived.
    const first = await bytes.next()
    const destination = begin()
    if (first.done) return
    await pipeline(startingWith(first.value, bytes), destination, { end: false })
  }

  readSmall(): undefined {
    return undefined
  }

  openStream(key: string): Readable {
    return Readable.from(readObject(this.#bucket, blobName(key)), { objectMode: false })
  }

  async sizeOf(key: string): Promise<number | undefined> {
    return (await this.#bucket.find(blobName(key)))?.size
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#bucket.list('').next()).done === true
  }

  async withContent<T>(key: string, work: (content: Uint8Array | string) => Promise<T>): Promise<T> {
    const name = blobName(key)
    const size = (await this.#bucket.find(name))?.size
    if (size !== undefined && size <= SMALL_BLOB) {
      return work(await buffer(readObject(this.#bucket, name)))
    }
    // As on a disk, opening it fails.
    if (size === undefined) return work(this.#staging.nameFile().path)
    return this.#copies.use(key, () => readObject(this.#bucket, name), work)
  }

  internalAddress(key: string): string {
    return `/_s3${this.#bucket.signAddress(blobName(key))}`
  }

  remove(key: string): Promise<void> {
    return this.#removals.remove(key)
  }

  sweep(olderThan: number, findUsed: (keys: string[]) => Promise<Set<string>>): Promise<number> {
    return sweepS3(this.#doors, olderThan, findUsed)
  }

  async close(): Promise<void> {
    await this.#copies.close()
    this.#bucket.close()
  }

  get #doors(): S3Connections {
    return { bucket: this.#bucket, incomplete: this.#incomplete, staging: this.#staging }
  }

  async #putWhole(key: string, staged: StagedBytes): Promise<void> {
    try {
      await this.#bucket.put(blobName(key), staged)
    } finally {
      await this.#staging.drop(staged)
    }
  }

  #spoolAll(bytes: Readable, maxSize: number): Promise<StagedBytes> {
    bearErrors(bytes)
    return this.#staging.take(bytes, maxSize)
  }

  /** Another server may have completed the upload meanwhile: then a new one is started for later chunks. */
  async #putPart(key: string, index: number, chunk: StagedBytes): Promise<void> {
    let gone: string | undefined
    for (let attemptsLeft = 3; attemptsLeft > 0; attemptsLeft--) {
      const uploadId = await this.#locks.take(`${key} upload`, () => this.#findOrStartUpload(key, gone))
      if (await this.#bucket.putPart(blobName(key), uploadId, index + 1, chunk)) return
      gone = uploadId
    }
    throw new Error(`chunk ${index} of ${key} found no upload to belong to`)
  }

  async #findOrStartUpload(key: string, gone: string | undefined): Promise<string> {
    const known = (await this.#incomplete.find(key))?.uploadId
    if (known !== undefined && known !== gone) return known
    const started = await this.#bucket.startUpload(blobName(key))
    const agreed = await this.#incomplete.agreeOnUpload(key, started, gone)
    if (agreed !== started) await this.#bucket.abortUpload(blobName(key), started)
    return agreed
  }

  /** Removes blobs, including the chunks of those that were never sealed. */
  async #removeAll(keys: string[]): Promise<void> {
    await this.#bucket.remove(keys.map(blobName))
    for (const { key, uploadId } of await this.#incomplete.findAll(keys)) {
      if (uploadId !== undefined) await this.#bucket.abortUpload(blobName(key), uploadId)
      for await (const page of this.#bucket.list(chunksOf(key))) {
        await this.#bucket.remove(page.map(({ name }) => name))
      }
      await this.#incomplete.forget([key])
    }
  }
}

/** A stream may fail before it is read. The reader gets the error later; it must not end the process. */
function bearErrors(bytes: Readable): void {
  bytes.on('error', () => {})
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
