import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type BlobReplica, type Kept, type KnownBlob, MeasuredBytes, type OnBytes, SMALL_BLOB } from './blob-replica.ts'
import { DiskBlobStore } from './disk-blob-store.ts'

/** Later than any blob. */
const ALWAYS = 2 ** 48 - 1

/**
 * Blobs kept in a folder: those of a backup, or of a data directory that is just being filled. They lie as they do in a data
 * directory, small ones together and large ones as files of their own, which are written beside it first and get their
 * name by a link.
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
      // What has the name was spoilt here, or there was no digest to compare it with.
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
