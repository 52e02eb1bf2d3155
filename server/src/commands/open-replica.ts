import type { Config } from '../config.ts'
import { BlobArchive } from '../platform/blobs/blob-archive.ts'
import type { BlobReplica } from '../platform/blobs/blob-replica.ts'
import type { BlobStore } from '../platform/blobs/blob-store.ts'
import { StoreReplica } from '../platform/blobs/store-replica.ts'

/** What fills the store that the settings name. */
export function openReplica(config: Pick<Config, 's3' | 'dataDir'>, blobs: BlobStore): BlobReplica {
  return config.s3 ? new StoreReplica(blobs) : new BlobArchive(config.dataDir)
}
