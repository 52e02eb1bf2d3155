import { getDownloadUrl } from '@alcove/contract/bytes'
import { DOWNLOAD_URL_TTL } from '@alcove/contract/limits'
import { send } from './api.ts'
import { ownAddress } from './own-address.ts'

interface Address {
  readonly url: Promise<string>
  readonly until: number
}

const addresses = new Map<string, Address>()
/** An address is not used to its last moment: what is shown may fetch more from it. */
const KEPT = DOWNLOAD_URL_TTL / 2

/** The signed address of the bytes of a file of one's own, asked for once as long as it is good. */
export function findFileAddress(id: string, isFresh = false): Promise<string> {
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
  return ownAddress((await send(getDownloadUrl, { id })).url)
}
