import { isSignatureOf, signParts } from './secrets.ts'

/** What a signed address grants: the bytes of one item of one owner, until a time. */
export interface Grant {
  id: string
  owner: string
  /** Milliseconds since 1970. */
  expires: number
}

function partsOf(grant: Grant): string[] {
  return ['download', grant.owner, grant.id, String(grant.expires)]
}

/** The query that makes an address good: `owner`, `expires` and `signature`. */
export function signGrant(key: Uint8Array, grant: Grant): URLSearchParams {
  const signature = signParts(key, partsOf(grant))
  return new URLSearchParams({ owner: grant.owner, expires: String(grant.expires), signature })
}

export function isGranted(key: Uint8Array, grant: Grant, signature: string, now: number): boolean {
  return isSignatureOf(key, partsOf(grant), signature) && grant.expires > now
}
