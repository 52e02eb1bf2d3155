import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { MAX_SMALL_FILE } from '@alcove/contract/limits'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { type OnBytes, SkipError, type StoredSource } from '../source.ts'
import type { PlacedFile } from './takeout-part.ts'

interface Archived extends PlacedFile {
  open(): Promise<AsyncIterable<Buffer>>
  /** Of the bytes, if the archive has it. */
  readonly checksum?: number
}

/** Stores the bytes of a file of an archive. Throws a `SkipError` if they are damaged. */
export async function storeArchived(
  { open, size, modifiedAt, checksum }: Archived,
  blobs: BlobStore,
  blobKey: string,
  onBytes: OnBytes,
): Promise<StoredSource> {
  const stream = await open().catch(throwDamaged)
  const assertIntact = (stored: number, found: number) => {
    if (stored !== size || (checksum !== undefined && found !== checksum)) {
      throw new SkipError('it is damaged in the archive')
    }
  }
  if (size <= MAX_SMALL_FILE) {
    const content = await buffer(stream).catch(throwDamaged)
    assertIntact(content.length, crc32(content))
    // Its memory is handed to another thread.
    await blobs.writeWhole(blobKey, new Uint8Array(content))
    onBytes(size)
    return { size, modifiedAt, sha256: hash('sha256', content) }
  }
  const sha256 = createHash('sha256')
  let sum = 0
  let damage: unknown
  async function* measured() {
    try {
      for await (const chunk of stream) {
        sha256.update(chunk)
        if (checksum !== undefined) sum = crc32(chunk, sum)
        onBytes(chunk.length)
        yield chunk
      }
    } catch (error) {
      damage = error
      throw error
    }
  }
  try {
    assertIntact(await blobs.streamWhole(blobKey, Readable.from(measured(), { objectMode: false }), size), sum)
  } catch (error) {
    if (damage !== undefined) throwDamaged(damage)
    throw error
  }
  return { size, modifiedAt, sha256: sha256.digest('hex') }
}

function throwDamaged(error: unknown): never {
  throw new SkipError(`it is damaged in the archive (${(error as Error).message})`)
}
