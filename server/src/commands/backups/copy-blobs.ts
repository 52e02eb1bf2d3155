import type { Readable } from 'node:stream'
import type { Services } from '../../context.ts'
import { describeReadFailure, isMissing } from '../../modules/storage/index.ts'
import type { BlobArchive, BlobReplica, Kept, KnownBlob, OnBytes } from '../../platform/blobs/blob-replica.ts'
import { listFilesOfBlob } from '../check-blobs.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { Progress } from '../progress.ts'

interface Copying {
  services: Pick<Services, 'db' | 'blobs'>
  replica: BlobReplica
  progress: Progress
  print(line: string): void
  digests: FoundDigests
}

/** Stores digests that are missing in the rows: without one, later runs couldn't compare the copy. */
export interface FoundDigests {
  find(key: string): Promise<string | undefined>
  /** Called once the copy is stored. */
  record(blob: KnownBlob, sha256: string): Promise<void>
}

/** What a run has copied so far. */
export interface Copied {
  blobs: number
  bytes: number
  /** The keys of blobs that were missing or damaged before. */
  damaged: string[]
}

/** A blob's row as in the snapshot. */
export type NamedBlob = KnownBlob & Record<string, unknown>

const CONCURRENCY = 16

/** Copies the blobs that are missing in the replica, and yields every blob with its digest. */
export function copyBlobs(
  copying: Copying,
  named: AsyncIterable<NamedBlob>,
  copied: Copied,
): AsyncGenerator<NamedBlob> {
  const { services, replica, progress, digests } = copying
  return mapConcurrently(named, CONCURRENCY, async (blob) => {
    const sha256 = blob.sha256 ?? (await digests.find(blob.key))
    if (sha256 !== undefined && (await replica.has(blob))) {
      progress.add(blob.size)
      return { ...blob, sha256 }
    }
    const kept = await keepBlob(services.blobs, replica, blob, (bytes) => progress.pass(bytes))
    progress.add(0)
    if ('difference' in kept) {
      await reportDamaged(copying, blob, kept.difference, copied)
      return blob
    }
    copied.blobs += 1
    copied.bytes += blob.size
    if (blob.sha256 === null) await digests.record(blob, kept.sha256)
    return { ...blob, sha256: kept.sha256 }
  })
}

/** Copies a blob to a replica. Returns read failures, so that the other blobs are still saved, and throws write failures. */
export async function keepBlob(
  blobs: Services['blobs'],
  replica: BlobReplica,
  blob: KnownBlob,
  onBytes?: OnBytes,
): Promise<Kept> {
  let bytes: Readable
  try {
    bytes = blobs.openStream(blob.key)
  } catch (error) {
    return { difference: describeReadFailure(error) }
  }
  try {
    return await replica.keep(blob, bytes, onBytes)
  } catch (error) {
    const isRead = isMissing(error) || (error as NodeJS.ErrnoException).syscall === 'read'
    if (!isRead) throw error
    return { difference: describeReadFailure(error) }
  }
}

async function reportDamaged(
  { services: { db }, print }: Copying,
  { key }: NamedBlob,
  difference: string,
  copied: Copied,
): Promise<void> {
  // If removals aren't paused, the server may have removed it meanwhile: the row goes before the bytes.
  const isThere = await db.selectFrom('blobs').select('key').where('key', '=', key).executeTakeFirst()
  if (!isThere) return
  copied.damaged.push(key)
  for (const file of await listFilesOfBlob(db, key)) print(`${file}: ${difference} (blob ${key}).`)
}

interface BlobRestore {
  replica: BlobReplica
  archive: BlobArchive
  progress: Progress
}

const RESTORE_CONCURRENCY = 8

/** Restores every blob and compares it on the way. Returns the keys of blobs that are not as they were stored. */
export async function restoreBlobs(restore: BlobRestore, named: AsyncIterable<NamedBlob>): Promise<string[]> {
  const lost: string[] = []
  const restored = mapConcurrently(named, RESTORE_CONCURRENCY, (blob) => restoreBlob(restore, blob))
  for await (const { key, isWhole } of restored) {
    if (!isWhole) lost.push(key)
  }
  return lost
}

async function restoreBlob({ replica, archive, progress }: BlobRestore, blob: NamedBlob) {
  const { key } = blob
  try {
    const kept = await replica.keep(blob, archive.openStream(key), (bytes) => progress.pass(bytes))
    return { key, isWhole: 'sha256' in kept }
  } catch (error) {
    if (!isMissing(error)) throw error
    return { key, isWhole: false }
  } finally {
    progress.add(0)
  }
}
