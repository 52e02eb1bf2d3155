import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { S3Settings } from '../../config.ts'
import type { Database } from '../db/database.ts'
import type { BlobStore, ByteRange, ChunkPlace, KnownPlace, StagedChunk } from './blob-store.ts'
import { IncompleteBlobs } from './incomplete-blobs.ts'
import { KeyedLock } from './keyed-lock.ts'
import { LocalCopies } from './local-copies.ts'
import { isPart } from './plan-parts.ts'
import { RemovalBatcher } from './removal-batcher.ts'
import { MAX_REMOVED, S3Bucket } from './s3-bucket.ts'
import { completeOnS3, type S3Connections } from './s3-complete.ts'
import { blobName, chunkName, chunksOf } from './s3-names.ts'
import { readObject } from './s3-reader.ts'
import { sweepS3 } from './s3-sweep.ts'
import { StagedBytes, StagingFiles } from './staging-files.ts'
import { STORE_TIMES, type StoreTimes } from './store-retries.ts'

/** Blobs of up to this size are given to other programs as they are, larger ones as a file. */
const SMALL_BLOB = 64 * 1024

/** How long a file for other programs is kept for the next of them. */
const LINGER = 60_000

interface S3Options {
  db: Database
  dataDir: string
  times?: StoreTimes | undefined
  linger?: number
}

/**
 * Blobs as objects of an S3 bucket. A chunk is a part of a multipart upload; one that cannot be (`isPart`) is an object
 * beside the blob until it is sealed. Whose parts belong where is in the database (`IncompleteBlobs`) and at the store, so
 * that any chunk may come to any server. The bytes of a chunk wait on this machine's disk until they have all come.
 */
export class S3BlobStore implements BlobStore {
  readonly #bucket: S3Bucket
  readonly #incomplete: IncompleteBlobs
  readonly #staging: StagingFiles
  readonly #copies: LocalCopies
  readonly #removals = new RemovalBatcher(MAX_REMOVED, (keys) => this.#removeAll(keys))
  /** What is just being found out or sealed, for all who ask meanwhile. */
  readonly #turns = new KeyedLock()

  constructor(settings: S3Settings, { db, dataDir, times = STORE_TIMES, linger = LINGER }: S3Options) {
    this.#bucket = new S3Bucket(settings, times)
    this.#incomplete = new IncompleteBlobs(db)
    this.#staging = new StagingFiles(join(dataDir, 'spool'))
    this.#copies = new LocalCopies(this.#staging, linger)
  }

  /** What is to be expected of the store, before it is needed. */
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
    const staged = await this.#spoolAll(bytes, maxSize)
    try {
      await this.#bucket.put(blobName(key), staged)
      return staged.size
    } finally {
      await this.#staging.drop(staged)
    }
  }

  /** Staged chunks stay on this machine: the request that brought one also places it. */
  stageChunk(bytes: Readable, maxSize: number): Promise<StagedChunk> {
    return this.#spoolAll(bytes, maxSize)
  }

  async placeChunk(key: string, { index, offset }: ChunkPlace, chunk: StagedChunk): Promise<void> {
    if (!(chunk instanceof StagedBytes)) throw new Error('only what was staged here can be placed')
    try {
      if (isPart(offset, chunk.size)) return await this.#putPart(key, index, chunk)
      await this.#incomplete.note(key)
      await this.#bucket.put(chunkName(key, index), chunk)
    } finally {
      await this.#staging.drop(chunk)
    }
  }

  dropStagedChunk(chunk: StagedChunk): Promise<void> {
    return this.#staging.drop(chunk)
  }

  /** A parked chunk is an object like others that are no parts: sealing brings it to its place. */
  async unparkChunk(): Promise<void> {}

  async dropParkedChunk(): Promise<void> {}

  async seal(key: string, sizes: readonly number[]): Promise<void> {
    await this.#turns.take(key, () => completeOnS3(this.#doors, key, sizes))
  }

  async send(key: string, range: ByteRange, begin: () => Writable): Promise<void> {
    const bytes = readObject(this.#bucket, blobName(key), range)
    // Nothing is begun before the first bytes are here.
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
    // As on a disk: who opens it finds that it is not there.
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

  #spoolAll(bytes: Readable, maxSize: number): Promise<StagedBytes> {
    // A stream may fail before anyone reads it: whoever reads it then is told, but the process must not end of it.
    bytes.on('error', () => {})
    return this.#staging.take(bytes, maxSize)
  }

  /** The upload may have been finished by another server just now: then there is another for what comes after. */
  async #putPart(key: string, index: number, chunk: StagedBytes): Promise<void> {
    let gone: string | undefined
    for (let attemptsLeft = 3; attemptsLeft > 0; attemptsLeft--) {
      const uploadId = await this.#turns.take(`${key} upload`, () => this.#findOrStartUpload(key, gone))
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

  /** With all that there is of those which were never sealed. */
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

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
