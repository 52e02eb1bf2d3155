import { createHash, hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import type { OnBytes } from '../../platform/blobs/blob-replica.ts'
import { type BlobStore, ObjectMissingError } from '../../platform/blobs/blob-store.ts'
import type { Digester } from '../../platform/crypto/digester.ts'
import type { Database } from '../../platform/db/database.ts'
import { WorkRefusedError } from '../../platform/processes/work-process.ts'

/** A blob as it is in the store. */
export interface Measured {
  size: number
  sha256: string
}

/** A blob as the database describes it. The digest is null until it has been computed. */
export interface RecordedBlob {
  readonly key: string
  readonly size: number
  readonly sha256: string | null
}

/** Reads a whole blob, and keeps little of it in memory at a time. */
export async function measureBlob(blobs: BlobStore, key: string, onBytes?: OnBytes): Promise<Measured> {
  return measureBytes(blobs.openStream(key), onBytes)
}

/** Calls `onBytes` with the number of bytes in each chunk. */
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

/** Describes how a blob differs from its record, or returns `undefined` if it doesn't. */
export function describeDifference(blob: RecordedBlob, { size, sha256 }: Measured): string | undefined {
  if (size !== blob.size) return `it has ${size} bytes instead of ${blob.size}`
  if (blob.sha256 !== null && blob.sha256 !== sha256) return 'its bytes are not those that were stored'
  return undefined
}

/** Describes why the store could not read a blob. */
export function describeReadFailure(error: unknown): string {
  if (isMissing(error)) return BYTES_MISSING
  const { code } = error as { code?: unknown }
  return `it cannot be read (${typeof code === 'string' ? code : String(error)})`
}

const BYTES_MISSING = 'its bytes are missing'

/** Whether an error of a disk or of an object store means that the bytes don't exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof ObjectMissingError || (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** After so many milliseconds of reading, `findDamage` rests as long. */
const MAX_BURST = 50

/**
 * Reads a blob with little effort and describes what is wrong with it, or returns `undefined` if nothing is. Throws if the
 * store or a process is unavailable, which says nothing about the blob. If the digest is unknown, only the size is compared.
 */
export async function findDamage(
  { blobs, config }: Pick<Services, 'blobs' | 'config'>,
  blob: RecordedBlob,
  { digester, signal }: { digester: Digester; signal: AbortSignal },
): Promise<string | undefined> {
  const size = await blobs.sizeOf(blob.key)
  if (size === undefined) return BYTES_MISSING
  if (blob.sha256 === null || size !== blob.size) return describeDifference(blob, { size, sha256: '' })
  // A few bytes need no process of their own.
  const digest = async (content: Uint8Array | string) =>
    typeof content === 'string' ? digester.digest(content, ['sha256'], signal) : { sha256: hash('sha256', content) }
  try {
    // Bytes from S3 come through this process anyway. A copy for another process would be written to disk first.
    const { sha256 } = config.s3
      ? await measureBytes(atHalfSpeed(blobs.openStream(blob.key), signal))
      : await blobs.withContent(blob.key, digest)
    return describeDifference(blob, { size, sha256 })
  } catch (error) {
    if (error instanceof WorkRefusedError) return `it cannot be read (${error.message})`
    if (isMissing(error)) return describeReadFailure(error)
    throw error
  }
}

/** Rests as long as it reads. */
async function* atHalfSpeed(bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  let start = performance.now()
  for await (const chunk of bytes) {
    signal.throwIfAborted()
    yield chunk
    const worked = performance.now() - start
    if (worked < MAX_BURST) continue
    await wait(worked, undefined, { signal })
    start = performance.now()
  }
}

/** Records that the bytes of a blob are missing or damaged. Returns false if that was known, or if the blob is gone. */
export async function noteDamage(db: Database, key: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('blobs')
    .set({ damaged_at: now })
    .where('key', '=', key)
    .where('damaged_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records that the bytes of a blob are as they were stored again. */
export async function clearDamage(db: Database, key: string): Promise<void> {
  await db.updateTable('blobs').set({ damaged_at: null }).where('key', '=', key).execute()
}

export async function countDamaged(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('blobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('damaged_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
