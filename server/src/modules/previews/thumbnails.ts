import { MEBIBYTE } from '@alcove/contract/limits'
import { type ThumbnailSize, thumbnailKindOf } from '@alcove/contract/thumbnails'
import type { Services } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { BlobResponse } from '../../platform/http/send-bytes.ts'
import { findMediaMetadata } from '../media/index.ts'
import { findThumbnail, makeThumbnail } from './make-thumbnail.ts'

/** The largest picture that gets a thumbnail. Videos and music can be larger, because little of them is read. */
const MAX_BYTES = 256 * MEBIBYTE

/**
 * Returns the thumbnail of a file, and makes it if necessary. The caller checks access. Throws 'no thumbnail' if there
 * can be none, and 'unavailable' if the server is busy.
 */
export async function getThumbnailOf(
  services: Services,
  file: ItemRow,
  size: ThumbnailSize,
  gone: AbortSignal,
): Promise<BlobResponse> {
  // Vault files are ciphertext.
  if (file.kind !== 'file' || file.area === 'vault') throw notFound('file')
  const kind = thumbnailKindOf(file.name, true)
  const isRead = kind !== undefined && file.size > 0 && (file.size <= MAX_BYTES || kind === 'video' || kind === 'cover')
  if (!isRead) throw noThumbnail()
  const blobKey = file.blob_key as string
  const found = await findThumbnail(services, blobKey, size)
  if (!found && kind === 'video' && !services.thumbnails.canDrawVideos) throw noThumbnail()
  const isMusic = kind === 'cover'
  if (!found && isMusic && (await findMediaMetadata(services, blobKey))?.has_cover === 0) throw noThumbnail()
  const thumbnail =
    found ?? (await makeThumbnail(services, blobKey, { size, isMusic }, { group: file.owner_id, signal: gone }))
  if (thumbnail === 'none') throw noThumbnail()
  return {
    kind: 'blob',
    blobKey: thumbnail.key,
    size: thumbnail.bytes,
    filename: `${file.name}.webp`,
    mimeType: 'image/webp',
    disposition: 'inline',
    modifiedAt: file.updated_at,
  }
}

function noThumbnail(): AppError {
  return new AppError('no_thumbnail', 'This file has no thumbnail.')
}
