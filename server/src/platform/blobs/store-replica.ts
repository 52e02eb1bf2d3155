import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type BlobReplica, type Kept, type KnownBlob, MeasuredBytes, type OnBytes, SMALL_BLOB } from './blob-replica.ts'
import type { BlobStore } from './blob-store.ts'

/** A store takes a large blob in pieces, at most 10,000 of them. */
const PIECE = 32 * 1024 * 1024
const MAX_PIECES = 10_000

/** Blobs kept in an object store, where nothing has a name before all of it is there. */
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

  /** The store is the server's, and is closed by who opened it. */
  async close(): Promise<void> {}

  async #keepSmall(blob: KnownBlob, measured: MeasuredBytes): Promise<Kept> {
    const content = await buffer(measured.stream)
    const kept = measured.compareWith(blob)
    if ('sha256' in kept) await this.#store.writeWhole(blob.key, content)
    return kept
  }

  /** The store sends nothing before it has all bytes: what fails at their end is never sent. */
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

  /** Pieces show only when they are sealed. */
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
    // One that is longer than it should be is read to its end, which tells how long.
    await skipRest()
    const kept = measured.compareWith(blob)
    if ('sha256' in kept) await this.#store.seal(key, sizes)
    else await this.#store.remove(key)
    return kept
  }
}

class DifferenceError extends Error {}

interface Cut {
  /** A stream of the next so many bytes. */
  take(length: number): Readable
  skipRest(): Promise<void>
}

/** Takes a stream apart. */
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
