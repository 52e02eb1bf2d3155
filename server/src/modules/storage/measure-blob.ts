import { createHash } from 'node:crypto'
import type { OnBytes } from '../../platform/blobs/blob-replica.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { ObjectMissingError } from '../../platform/blobs/s3-reader.ts'

/** What a blob in the store is. */
export interface Measured {
  size: number
  sha256: string
}

/** What the database says of a blob; the digest is null until it has been computed. */
export interface RecordedBlob {
  readonly key: string
  readonly size: number
  readonly sha256: string | null
}

/** Reads a whole blob, of which little is in memory at a time. */
export async function measureBlob(blobs: BlobStore, key: string, onBytes?: OnBytes): Promise<Measured> {
  return measureBytes(blobs.openStream(key), onBytes)
}

/** `onBytes` hears how many have passed. */
export async function measureBytes(bytes: AsyncIterable<Buffer>, onBytes?: OnBytes): Promise<Measured> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    digest.update(chunk)
    onBytes?.(chunk.length)
  }
  return { size, sha256: digest.digest('hex') }
}

/** How a blob is not what is recorded of it; undefined where it is. */
export function describeDifference(blob: RecordedBlob, { size, sha256 }: Measured): string | undefined {
  if (size !== blob.size) return `it has ${size} bytes instead of ${blob.size}`
  if (blob.sha256 !== null && blob.sha256 !== sha256) return 'its bytes are not those that were stored'
  return undefined
}

/** Why a blob could not be read, as the store says. */
export function describeReadFailure(error: unknown): string {
  if (isMissing(error)) return BYTES_MISSING
  const { code } = error as { code?: unknown }
  return `it cannot be read (${typeof code === 'string' ? code : String(error)})`
}

export const BYTES_MISSING = 'its bytes are missing'

/** On a disk or in an object store. */
export function isMissing(error: unknown): boolean {
  return error instanceof ObjectMissingError || (error as NodeJS.ErrnoException).code === 'ENOENT'
}
