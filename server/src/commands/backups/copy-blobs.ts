import type { Readable } from 'node:stream'
import type { Services } from '../../context.ts'
import type { ArchivedBlob, BlobArchive, Kept } from '../../platform/blobs/blob-archive.ts'
import { nameFiles } from '../checks/name-files.ts'
import { describeReadFailure, isMissing } from '../checks/read-digest.ts'
import { recordDigest } from '../checks/record-digest.ts'
import type { Progress } from '../progress.ts'
import { workAhead } from '../work-ahead.ts'

interface Copying {
  services: Pick<Services, 'db' | 'blobs'>
  archive: BlobArchive
  progress: Progress
  print(line: string): void
}

/** What a backup has added to the archive, counted while it does. */
export interface Copied {
  blobs: number
  bytes: number
  /** The keys of what was missing or damaged before. */
  damaged: string[]
}

/** A blob's row as the snapshot has it. */
export type NamedBlob = ArchivedBlob & Record<string, unknown>

const AT_ONCE = 8

/** Copies the blobs that the archive has not, and hands every one on with its digest. */
export function copyBlobs(
  copying: Copying,
  named: AsyncIterable<NamedBlob>,
  copied: Copied,
): AsyncGenerator<NamedBlob> {
  const { services, archive, progress, print } = copying
  return workAhead(named, AT_ONCE, async (blob) => {
    progress.add(blob.size)
    // Without a digest it could not be compared when it is put back.
    if (blob.sha256 !== null && (await archive.has(blob))) return blob
    const kept = await keep(copying, blob)
    if ('difference' in kept) {
      copied.damaged.push(blob.key)
      for (const file of await nameFiles(services.db, blob.key))
        print(`${file}: ${kept.difference} (blob ${blob.key}).`)
      return blob
    }
    copied.blobs += 1
    copied.bytes += blob.size
    if (blob.sha256 === null) await recordDigest(services.db, blob.key, kept.sha256)
    return { ...blob, sha256: kept.sha256 }
  })
}

/** What cannot be read is told with its files, and the rest is saved all the same; what cannot be written ends the backup. */
async function keep({ services, archive }: Copying, blob: NamedBlob): Promise<Kept> {
  let bytes: Readable
  try {
    bytes = services.blobs.openStream(blob.key)
  } catch (error) {
    return { difference: describeReadFailure(error) }
  }
  try {
    return await archive.keep(blob, bytes)
  } catch (error) {
    const isRead = isMissing(error) || (error as NodeJS.ErrnoException).syscall === 'read'
    if (!isRead) throw error
    return { difference: describeReadFailure(error) }
  }
}
