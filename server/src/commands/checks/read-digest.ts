import { createHash } from 'node:crypto'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { ObjectMissingError } from '../../platform/blobs/s3-reader.ts'

/** What a blob in the store is. */
export interface Measured {
  size: number
  sha256: string
}

/** Reads a whole blob, of which little is in memory at a time. */
export async function readDigest(blobs: BlobStore, key: string): Promise<Measured> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of blobs.openStream(key) as AsyncIterable<Buffer>) {
    size += chunk.length
    digest.update(chunk)
  }
  return { size, sha256: digest.digest('hex') }
}

/** Why a blob could not be read, as the store says. */
export function describeReadFailure(error: unknown): string {
  if (isMissing(error)) return 'its bytes are missing'
  const { code } = error as { code?: unknown }
  return `it cannot be read (${typeof code === 'string' ? code : String(error)})`
}

/** On a disk or in an object store. */
export function isMissing(error: unknown): boolean {
  return error instanceof ObjectMissingError || (error as NodeJS.ErrnoException).code === 'ENOENT'
}
