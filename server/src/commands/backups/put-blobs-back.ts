import { isMissing } from '../../modules/storage/index.ts'
import type { BlobArchive } from '../../platform/blobs/blob-archive.ts'
import type { BlobReplica } from '../../platform/blobs/blob-replica.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { Progress } from '../progress.ts'
import type { NamedBlob } from './copy-blobs.ts'

interface PuttingBack {
  replica: BlobReplica
  archive: BlobArchive
  progress: Progress
}

const AT_ONCE = 8

/** Writes every blob where it is to be kept, compared on the way; answers the keys of those that are not what was stored. */
export async function putBlobsBack(putting: PuttingBack, named: AsyncIterable<NamedBlob>): Promise<string[]> {
  const lost: string[] = []
  for await (const { key, isWhole } of mapConcurrently(named, AT_ONCE, (blob) => putBlobBack(putting, blob))) {
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
