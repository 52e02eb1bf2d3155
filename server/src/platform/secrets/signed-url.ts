import { isSignatureOf, signParts } from './secrets.ts'

/** What a signed address is for: one made for a download is no address of a stream, nor of all that a user has. */
type Purpose = 'download' | 'stream' | 'account'

/** What a signed address grants: the bytes of one item of one owner, until a time. */
export interface Grant {
  id: string
  owner: string
  /** Milliseconds since 1970. */
  expires: number
}

function partsOf(purpose: Purpose, grant: Grant): string[] {
  return [purpose, grant.owner, grant.id, String(grant.expires)]
}

/** The query that makes an address good: `owner`, `expires` and `signature`. */
export function signGrant(key: Uint8Array, purpose: Purpose, grant: Grant): URLSearchParams {
  const signature = signParts(key, partsOf(purpose, grant))
  return new URLSearchParams({ owner: grant.owner, expires: String(grant.expires), signature })
}

export function isGranted(key: Uint8Array, purpose: Purpose, grant: Grant, signature: string, now: number): boolean {
  return isSignatureOf(key, partsOf(purpose, grant), signature) && grant.expires > now
}
