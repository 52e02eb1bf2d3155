import { getDownloadUrl } from '@alcove/contract/files'
import type { File } from '@alcove/contract/items'
import { DOWNLOAD_URL_TTL } from '@alcove/contract/limits'
import { send } from '../../lib/api.ts'
import { findThumbnailSource } from '../../lib/thumbnails.ts'
import type { PreviewItem } from '../../ui/preview/preview-item.ts'

interface Address {
  readonly url: Promise<string>
  readonly until: number
}

const addresses = new Map<string, Address>()
/** An address is not used to its last moment: what is shown may fetch more from it. */
const KEPT = DOWNLOAD_URL_TTL / 2

/** A file of the user's own as the previewer takes it. */
export function toPreviewItem(file: File): PreviewItem {
  return {
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    size: file.size,
    updatedAt: file.updatedAt,
    isFavorite: file.isFavorite,
    url: (options) => findAddress(file.id, options?.isFresh ?? false),
    thumbnail: (size) => findThumbnailSource(file, size),
  }
}

/** The signed address of a file's bytes, asked for once as long as it is good. */
function findAddress(id: string, isFresh: boolean): Promise<string> {
  const now = Date.now()
  const known = addresses.get(id)
  if (known && !isFresh && known.until > now) return known.url
  for (const [other, { until }] of addresses) if (until <= now) addresses.delete(other)
  const url = fetchAddress(id)
  addresses.set(id, { url, until: now + KEPT })
  url.catch(() => addresses.delete(id))
  return url
}

/** The address within the origin that the page came from: the page's policy lets it fetch from no other. */
async function fetchAddress(id: string): Promise<string> {
  const { pathname, search } = new URL((await send(getDownloadUrl, { id })).url)
  return pathname + search
}
