import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../config.ts'
import type { BlobStore } from './blob-store.ts'
import { DiskBlobStore } from './disk-blob-store.ts'

/** A blob to be copied, as the database describes it. */
export interface KnownBlob {
  readonly key: string
  readonly size: number
  /** Null if it is not computed yet. */
  readonly sha256: string | null
}

/** The digest of a stored copy, or why no copy was stored. */
export type Kept = { sha256: string } | { difference: string }

export type OnBytes = (bytes: number) => void

/**
 * A place for copies of blobs. A copy gets its key only when it is complete, verified and on stable storage. So a copy with the right
 * size needs no further check, even if the last run was interrupted.
 */
export interface BlobReplica {
  has(blob: Pick<KnownBlob, 'key' | 'size'>): Promise<boolean>
  /** Stores a blob if its bytes match its size and digest, and replaces an earlier copy. `onBytes` is called with the progress. */
  keep(blob: KnownBlob, bytes: Readable, onBytes?: OnBytes): Promise<Kept>
  close(): Promise<void>
}

/** Blobs of up to this size are copied in memory. */
export const SMALL_BLOB = 64 * 1024

/** Measures the size and digest of a stream while it is read. */
class MeasuredBytes {
  readonly stream: Readable
  size = 0
  readonly #digest = createHash('sha256')

  readonly #onBytes: OnBytes | undefined

  constructor(bytes: Readable, onBytes: OnBytes | undefined) {
    this.#onBytes = onBytes
    // The stream may fail before it is read. The reader gets the error later; it must not end the process.
    bytes.on('error', () => {})
    this.stream = Readable.from(this.#pass(bytes), { objectMode: false })
  }

  /** Compares the whole stream with the blob's size and digest. Call it once, at the end. */
  compareWith(blob: KnownBlob): Kept {
    const sha256 = this.#digest.digest('hex')
    if (this.size !== blob.size) return { difference: `it has ${this.size} bytes instead of ${blob.size}` }
    if (blob.sha256 !== null && sha256 !== blob.sha256)
      return { difference: 'its bytes are not those that were stored' }
    return { sha256 }
  }

  async *#pass(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.size += chunk.length
      this.#digest.update(chunk)
      this.#onBytes?.(chunk.length)
      yield chunk
    }
  }
}

/** Later than any blob. */
const ALWAYS = 2 ** 48 - 1

/**
 * Stores copies in a folder: a backup, or a data directory that is being filled. The layout is that of a data directory: small blobs in a
 * database, large ones as files, which are written to a staging file first.
 */
export class BlobArchive implements BlobReplica {
  readonly #store: DiskBlobStore

  constructor(root: string) {
    this.#store = new DiskBlobStore(root)
  }

  async has({ key, size }: Pick<KnownBlob, 'key' | 'size'>): Promise<boolean> {
    return (await this.#store.sizeOf(key)) === size
  }

  async keep(blob: KnownBlob, bytes: Readable, onBytes?: OnBytes): Promise<Kept> {
    const measured = new MeasuredBytes(bytes, onBytes)
    if (blob.size <= SMALL_BLOB) {
      const content = await buffer(measured.stream)
      const kept = measured.compareWith(blob)
      if ('sha256' in kept) await this.#store.writeWhole(blob.key, content)
      return kept
    }
    const staged = await this.#store.stageChunk(measured.stream, Number.MAX_SAFE_INTEGER)
    const kept = measured.compareWith(blob)
    if ('sha256' in kept) {
      // A file with this key is damaged, or there was no digest to compare it with.
      await this.#store.remove(blob.key)
      await this.#store.placeChunk(blob.key, { index: 0, offset: 0 }, staged)
    } else {
      await this.#store.dropStagedChunk(staged)
    }
    return kept
  }

  openStream(key: string): Readable {
    return this.#store.openStream(key).on('error', () => {})
  }

  /** Removes all blobs that `findUsed` doesn't return, and the staging files of interrupted runs. */
  prune(findUsed: (keys: string[]) => Promise<Set<string>>): Promise<number> {
    return this.#store.sweep(ALWAYS, findUsed)
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

/** The store gets large blobs in pieces, at most 10,000. */
const PIECE = 32 * 1024 * 1024
const MAX_PIECES = 10_000

/** Stores copies in an object store, where an object appears only when it is complete. */
export class StoreReplica implements BlobReplica {
  readonly #store: BlobStore

  constructor(store: BlobStore) {
    this.#store = store
  }

  async has({ key, size }: Pick<KnownBlob, 'key' | 'size'>): Promise<boolean> {
    return (await this.#store.sizeOf(key)) === size
  }

  async keep(blob: KnownBlob, bytes: Readable, onBytes?: OnBytes): Promise<Kept> {
    const measured = new MeasuredBytes(bytes, onBytes)
    if (blob.size <= SMALL_BLOB) return this.#keepSmall(blob, measured)
    try {
      return blob.size <= PIECE ? await this.#keepWhole(blob, measured) : await this.#keepInPieces(blob, measured)
    } finally {
      measured.stream.destroy()
    }
  }

  /** The services that opened the store close it. */
  async close(): Promise<void> {}

  async #keepSmall(blob: KnownBlob, measured: MeasuredBytes): Promise<Kept> {
    const content = await buffer(measured.stream)
    const kept = measured.compareWith(blob)
    if ('sha256' in kept) await this.#store.writeWhole(blob.key, content)
    return kept
  }

  /** The store uploads nothing before it has all bytes, so a blob that fails the comparison is never uploaded. */
  async #keepWhole(blob: KnownBlob, measured: MeasuredBytes): Promise<Kept> {
    let kept: Kept | undefined
    const compared = Readable.from(
      (async function* () {
        yield* measured.stream as AsyncIterable<Buffer>
        kept = measured.compareWith(blob)
        if ('difference' in kept) throw new DifferenceError(kept.difference)
      })(),
      { objectMode: false },
    )
    try {
      await this.#store.streamWhole(blob.key, compared, Number.MAX_SAFE_INTEGER)
    } catch (error) {
      if (!(error instanceof DifferenceError)) throw error
    }
    return kept as Kept
  }

  /** Pieces become a blob only when they are sealed. */
  async #keepInPieces(blob: KnownBlob, measured: MeasuredBytes): Promise<Kept> {
    const { key, size } = blob
    const pieceSize = Math.max(PIECE, Math.ceil(size / MAX_PIECES))
    const { take, skipRest } = cutIntoPieces(measured.stream)
    const sizes: number[] = []
    for (let offset = 0; offset < size; offset += pieceSize) {
      const length = Math.min(pieceSize, size - offset)
      const place = { index: sizes.length, offset }
      sizes.push(await this.#store.writeChunk(key, place, take(length), length))
      if (sizes.at(-1) !== length) break
    }
    // A blob that is too long is read to its end, to report its size.
    await skipRest()
    const kept = measured.compareWith(blob)
    if ('sha256' in kept) await this.#store.seal(key, sizes)
    else await this.#store.remove(key)
    return kept
  }
}

class DifferenceError extends Error {}

interface Cut {
  /** Returns a stream of the next `length` bytes. */
  take(length: number): Readable
  skipRest(): Promise<void>
}

/** Cuts a stream into streams of given lengths. */
function cutIntoPieces(bytes: Readable): Cut {
  const chunks = (bytes as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let rest: Buffer | undefined
  async function* take(length: number) {
    for (let wanted = length; wanted > 0; ) {
      const chunk = rest ?? (await chunks.next()).value
      if (chunk === undefined) return
      const taken = chunk.subarray(0, wanted)
      rest = chunk.length > wanted ? chunk.subarray(wanted) : undefined
      wanted -= taken.length
      yield taken
    }
  }
  return {
    take: (length) => Readable.from(take(length), { objectMode: false }),
    skipRest: async () => {
      for (let isDone = false; !isDone; ) isDone = (await chunks.next()).done === true
    },
  }
}

/** Opens the replica that fills the store of the given settings. */
export function openReplica(config: Pick<Config, 's3' | 'dataDir'>, blobs: BlobStore): BlobReplica {
  return config.s3 ? new StoreReplica(blobs) : new BlobArchive(config.dataDir)
}
