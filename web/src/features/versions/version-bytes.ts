import type { File } from '@alcove/contract/items'
import type { Version } from '@alcove/contract/versions'
import { findFileAddress } from '../../api/file-address.ts'
import { findVersionThumbnail } from '../../items/thumbnails.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import type { PreviewItem } from '../../preview/preview-item.ts'

/** How the bytes of a version are read. The vault decrypts them. */
export interface VersionBytes {
  /** Has the browser save the version. Rejects with the error of the call, unless it has shown the failure itself. */
  readonly download: (file: File, version: Version) => Promise<void>
  readonly toPreviewItem: (file: File, version: Version) => PreviewItem
}

/** The versions of files of the drive, as the server has them. */
export const driveVersions: VersionBytes = {
  // A fresh address finds out whether the version still exists.
  download: async (file, version) => downloadFrom(await findFileAddress({ ...file, versionId: version.id }, true)),
  toPreviewItem: (file: File, version: Version) => ({
    id: version.id,
    version: version.id,
    name: file.name,
    mimeType: file.mimeType,
    size: version.size,
    modifiedAt: version.modifiedAt,
    url: (options) => findFileAddress({ ...file, versionId: version.id }, options?.isFresh),
    thumbnail: (size) => findVersionThumbnail(file, version.id, size),
  }),
}
