import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DiskBlobStore } from './disk-blob-store.ts'

/** What has been kept, or why it was not. */
export type Kept = { sha256: string } | { difference: string }

/** What an archive is told of a blob. */
export interface ArchivedBlob {
  readonly key: string
  readonly size: number
  /** Null where it is not known yet. */
  readonly sha256: string | null
}

const SMALL = 64 * 1024
/** Later than any blob. */
const ALWAYS = 2 ** 48 - 1

/**
 * The blobs of a backup. They lie as they do in a data directory, small ones together and large ones as files of their
 * own; a large one gets its name once it is whole, compared and on stable storage, so that what has a name needs no second look.
 */
export class BlobArchive {
  readonly #store: DiskBlobStore

  constructor(root: string) {
    this.#store = new DiskBlobStore(root)
  }

  async has({ key, size }: Pick<ArchivedBlob, 'key' | 'size'>): Promise<boolean> {
    const length = await this.#store
      .withContent(key, async (content) => (typeof content === 'string' ? (await stat(content)).size : content.length))
      .catch(() => undefined)
    return length === size
  }

  /** Keeps a blob if its bytes are what is known of them. */
  async keep(blob: ArchivedBlob, bytes: Readable): Promise<Kept> {
    // It may fail before it is read: whoever reads it is told then, but the process must not end of it.
    bytes.on('error', () => {})
    const digest = createHash('sha256')
    let size = 0
    const counted = Readable.from(
      (async function* () {
        for await (const chunk of bytes as AsyncIterable<Buffer>) {
          size += chunk.length
          digest.update(chunk)
          yield chunk
        }
      })(),
      { objectMode: false },
    )
    if (blob.size <= SMALL) {
      const content = await buffer(counted)
      const kept = compare(blob, size, digest.digest('hex'))
      if ('sha256' in kept) await this.#store.writeWhole(blob.key, content)
      return kept
    }
    const staged = await this.#store.stageChunk(counted, Number.MAX_SAFE_INTEGER)
    const kept = compare(blob, size, digest.digest('hex'))
    if ('sha256' in kept) {
      // What has the name and not the size was spoilt here.
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

  /** Removes what `findUsed` does not answer, and what was broken off. */
  prune(findUsed: (keys: string[]) => Promise<Set<string>>): Promise<number> {
    return this.#store.sweep(ALWAYS, findUsed)
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

function compare(blob: ArchivedBlob, size: number, sha256: string): Kept {
  if (size !== blob.size) return { difference: `it has ${size} bytes instead of ${blob.size}` }
  if (blob.sha256 !== null && sha256 !== blob.sha256) return { difference: 'its bytes are not those that were stored' }
  return { sha256 }
}
