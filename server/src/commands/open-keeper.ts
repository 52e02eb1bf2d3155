import type { Config } from '../config.ts'
import { BlobArchive } from '../platform/blobs/blob-archive.ts'
import type { BlobKeeper } from '../platform/blobs/blob-keeper.ts'
import type { BlobStore } from '../platform/blobs/blob-store.ts'
import { StoreKeeper } from '../platform/blobs/store-keeper.ts'

/** What fills the store that the settings name. */
export function openKeeper(config: Pick<Config, 's3' | 'dataDir'>, blobs: BlobStore): BlobKeeper {
  return config.s3 ? new StoreKeeper(blobs) : new BlobArchive(config.dataDir)
}
