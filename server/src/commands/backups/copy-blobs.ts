import type { Readable } from 'node:stream'
import type { Services } from '../../context.ts'
import { describeReadFailure, isMissing } from '../../modules/storage/index.ts'
import type { BlobReplica, Kept, KnownBlob, OnBytes } from '../../platform/blobs/blob-replica.ts'
import { listFilesOfBlob } from '../checks/list-files-of-blob.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { Progress } from '../progress.ts'

interface Copying {
  services: Pick<Services, 'db' | 'blobs'>
  replica: BlobReplica
  progress: Progress
  print(line: string): void
  digests: FoundDigests
}

/** Where digests are kept that the rows have not: without one nothing could be compared later on. */
export interface FoundDigests {
  find(key: string): Promise<string | undefined>
  /** Once the blob is kept. */
  record(blob: KnownBlob, sha256: string): Promise<void>
}

/** What copying has added, counted while it does. */
export interface Copied {
  blobs: number
  bytes: number
  /** The keys of what was missing or damaged before. */
  damaged: string[]
}

/** A blob's row as the snapshot has it. */
export type NamedBlob = KnownBlob & Record<string, unknown>

const AT_ONCE = 16

/** Copies the blobs that the keeper has not, and hands every one on with its digest. */
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

/** What cannot be read is answered, so that the rest is saved all the same; what cannot be written is thrown. */
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
  // Where nothing holds removals, the server may have removed it just now: the row goes before the bytes.
  const isThere = await db.selectFrom('blobs').select('key').where('key', '=', key).executeTakeFirst()
  if (!isThere) return
  copied.damaged.push(key)
  for (const file of await listFilesOfBlob(db, key)) print(`${file}: ${difference} (blob ${key}).`)
}
