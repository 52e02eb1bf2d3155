import {
  getPublicContent,
  getPublicPlayback,
  getPublicPlaylist,
  getPublicThumbnail,
  type PublicFile,
} from '@alcove/contract/sharing'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { fetchBlob, send } from '../../../api/api.ts'
import { addressOf } from '../../../api/call-address.ts'
import { hasThumbnail, type ThumbnailSource } from '../../../items/thumbnails.ts'
import type { PreviewItem } from '../../../preview/preview-item.ts'

/** A public link as its visitor opened it: `access` is what the server granted for its password. */
export interface Visit {
  readonly token: string
  readonly access: string | undefined
}

/** Returns the address of the page of a link, or of a folder inside it. */
export function linkAddress({ token }: Visit, folderId?: string): string {
  return folderId === undefined ? `/s/${token}` : `/s/${token}?folder=${folderId}`
}

/** Returns the address of a file's bytes, for the preview. It changes with the bytes, since browsers cache parts of them. */
export function contentAddress(visit: Visit, { id, updatedAt }: PublicFile): string {
  return addressOf(getPublicContent, { ...visit, id, v: updatedAt })
}

/** Returns the address from which the browser downloads a file, or a folder as a ZIP. */
export function downloadAddress(visit: Visit, id: string): string {
  return addressOf(getPublicContent, { ...visit, id, download: '1' })
}

export function toPreviewItem(visit: Visit, file: PublicFile): PreviewItem {
  const { id, updatedAt, name, mimeType, size, modifiedAt } = file
  const address = contentAddress(visit, file)
  return {
    id,
    version: updatedAt,
    name,
    mimeType,
    size,
    modifiedAt,
    url: async () => address,
    playlists: () => findPlaylists(visit, id),
    thumbnail: (width) => findPublicThumbnail(visit, file, width),
  }
}

async function findPlaylists(visit: Visit, id: string): Promise<string[]> {
  const { ways } = await send(getPublicPlayback, { ...visit, id })
  return ways.map((way) => addressOf(getPublicPlaylist, { ...visit, id, way }))
}

/** Returns the address of a file's thumbnail, or undefined if it has none. */
export function thumbnailAddress(visit: Visit, file: PublicFile, size: ThumbnailSize): string | undefined {
  return hasThumbnail(file) ? addressOf(getPublicThumbnail, thumbnailInput(visit, file, size)) : undefined
}

function findPublicThumbnail(visit: Visit, file: PublicFile, size: ThumbnailSize): ThumbnailSource | undefined {
  if (!hasThumbnail(file)) return undefined
  const input = thumbnailInput(visit, file, size)
  return {
    key: addressOf(getPublicThumbnail, input),
    load: (signal) => fetchBlob(getPublicThumbnail, input, { signal }),
  }
}

function thumbnailInput(visit: Visit, { id, updatedAt }: PublicFile, size: ThumbnailSize) {
  return { ...visit, id, size: String(size), v: updatedAt }
}
