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

/** A file as it was at a time, or an earlier version of it. */
interface FileBytes {
  readonly id: string
  /** Changes with the bytes of the file. */
  readonly updatedAt: string
  readonly versionId?: string | undefined
}

/**
 * Returns the signed address of the bytes of the user's own file, or of an earlier version. It is requested once and reused.
 * A file with other bytes gets another address, so that the browser doesn't show what it has cached of the former ones.
 */
export function findFileAddress({ id, updatedAt, versionId }: FileBytes, isFresh = false): Promise<string> {
  const now = Date.now()
  const key = `${id} ${versionId ?? updatedAt}`
  const known = addresses.get(key)
  if (known && !isFresh && known.until > now) return known.url
  for (const [other, { until }] of addresses) if (until <= now) addresses.delete(other)
  const url = fetchFileAddress(id, versionId)
  addresses.set(key, { url, until: now + KEPT })
  url.catch(() => addresses.delete(key))
  return url
}

/** Requests an address and moves it to the page's origin. */
export async function fetchFileAddress(id: string, versionId?: string): Promise<string> {
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
