import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

/** What is known of a blob that is to be kept somewhere else. */
export interface KnownBlob {
  readonly key: string
  readonly size: number
  /** Null where it is not known yet. */
  readonly sha256: string | null
}

/** What has been kept, or why it was not. */
export type Kept = { sha256: string } | { difference: string }

export type OnBytes = (bytes: number) => void

/**
 * Where copies of blobs are kept. A copy gets its key only once it is whole, compared with what is known of the blob and on
 * stable storage: what is there with its size needs no second look, whenever the last copying was broken off.
 */
export interface BlobReplica {
  has(blob: Pick<KnownBlob, 'key' | 'size'>): Promise<boolean>
  /** Keeps a blob if its bytes are what is known of them; in place of what has its key. `onBytes` hears how many have passed. */
  keep(blob: KnownBlob, bytes: Readable, onBytes?: OnBytes): Promise<Kept>
  close(): Promise<void>
}

/** Blobs of up to this size are taken into memory. */
export const SMALL_BLOB = 64 * 1024

/** Bytes on their way, measured while they pass. */
export class MeasuredBytes {
  readonly stream: Readable
  size = 0
  readonly #digest = createHash('sha256')

  readonly #onBytes: OnBytes | undefined

  constructor(bytes: Readable, onBytes: OnBytes | undefined) {
    this.#onBytes = onBytes
    // It may fail before it is read: whoever reads it is told then, but the process must not end of it.
    bytes.on('error', () => {})
    this.stream = Readable.from(this.#pass(bytes), { objectMode: false })
  }

  /** What comes of comparing all that has passed with what is known. Once, at the end. */
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
