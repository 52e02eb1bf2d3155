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

/** Stores digests that the rows lack: without one, later runs couldn't compare the copy. */
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

const AT_ONCE = 16

/** Copies the blobs that the replica lacks and yields every one with its digest. */
export function copyBlobs(
  copying: Copying,
  named: AsyncIterable<NamedBlob>,
  copied: Copied,
): AsyncGenerator<NamedBlob> {
  const { services, replica, progress, digests } = copying
  return mapConcurrently(named, AT_ONCE, async (blob) => {
    const sha256 = blob.sha256 ?? (await digests.find(blob.key))
    if (sha256 !== undefined && (await replica.has(blob))) {
      progress.add(blob.size)
      return { ...blob, sha256 }
    }
    const kept = await keepBlob(services.blobs, replica, blob, (bytes) => progress.pass(bytes))
    progress.add(0)
    if ('difference' in kept) {
      await tellDamaged(copying, blob, kept.difference, copied)
      return blob
    }
    copied.blobs += 1
    copied.bytes += blob.size
    if (blob.sha256 === null) await digests.record(blob, kept.sha256)
    return { ...blob, sha256: kept.sha256 }
  })
}

/** Returns read failures, so that the rest is saved all the same, and throws write failures. */
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

async function tellDamaged(
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

interface PuttingBack {
  replica: BlobReplica
  archive: BlobArchive
  progress: Progress
}

const PUT_AT_ONCE = 8

/** Restores every blob and compares it on the way. Returns the keys of blobs that are not as they were stored. */
export async function putBlobsBack(putting: PuttingBack, named: AsyncIterable<NamedBlob>): Promise<string[]> {
  const lost: string[] = []
  for await (const { key, isWhole } of mapConcurrently(named, PUT_AT_ONCE, (blob) => putBlobBack(putting, blob))) {
    if (!isWhole) lost.push(key)
  }
  return lost
}

async function putBlobBack({ replica, archive, progress }: PuttingBack, blob: NamedBlob) {
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
