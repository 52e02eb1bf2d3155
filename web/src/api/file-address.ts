import { getDownloadUrl } from '@alcove/contract/bytes'
import { DOWNLOAD_URL_TTL } from '@alcove/contract/limits'
import { send } from './api.ts'

interface Address {
  readonly url: Promise<string>
  readonly until: number
}

const addresses = new Map<string, Address>()
/** An address is reused for half its lifetime, because a viewer may fetch more from it later. In milliseconds. */
const KEPT = DOWNLOAD_URL_TTL / 2

/** Returns the signed address of the bytes of the user's own file, or of an earlier version. It is requested once and reused. */
export function findFileAddress(id: string, isFresh = false, versionId?: string): Promise<string> {
  const now = Date.now()
  const key = versionId === undefined ? id : `${id} ${versionId}`
  const known = addresses.get(key)
  if (known && !isFresh && known.until > now) return known.url
  for (const [other, { until }] of addresses) if (until <= now) addresses.delete(other)
  const url = fetchAddress(id, versionId)
  addresses.set(key, { url, until: now + KEPT })
  url.catch(() => addresses.delete(key))
  return url
}

/** Forgets the address of a file that has other bytes now. Browsers may show what they loaded from the same address before. */
export function forgetFileAddress(id: string): void {
  addresses.delete(id)
}

/** Requests an address and moves it to the page's origin. */
async function fetchAddress(id: string, versionId?: string): Promise<string> {
  return ownAddress((await send(getDownloadUrl, { id, versionId })).url)
}

/**
 * Moves an address from the server to the page's origin. The server may have several names, and the Content Security
 * Policy allows only the page's origin.
 */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url)
  return new URL(pathname + search, window.location.origin).href
}
