import { DOWNLOAD_URL_TTL, STREAM_URL_TTL } from '@alcove/contract/limits'
import { isSignatureOf, signParts } from './secrets.ts'

/** How long the addresses for a purpose are good: one made for a download is no address of a stream, nor of all that a user has. */
const TTL = { download: DOWNLOAD_URL_TTL, stream: STREAM_URL_TTL, account: DOWNLOAD_URL_TTL } as const
type Purpose = keyof typeof TTL

interface Subject {
  /** Of an item, of items that were chosen, or of the user whose account it is. */
  id: string
  owner: string
}

/** What a signed address grants: the bytes of one subject, until a time. */
export interface Grant extends Subject {
  /** Milliseconds since 1970. */
  expires: number
}

/** A grant from now on, and the query that makes an address good: `owner`, `expires` and `signature`. */
export function signGrant(
  key: Uint8Array,
  purpose: Purpose,
  { id, owner }: Subject,
  now: number,
): { query: URLSearchParams; expires: number } {
  const expires = now + TTL[purpose]
  const signature = signParts(key, partsOf(purpose, { id, owner, expires }))
  return { query: new URLSearchParams({ owner, expires: String(expires), signature }), expires }
}

/**
 * When an address that is still good was signed, in milliseconds since 1970; undefined for any other. Whether its user has
 * revoked it since stands in the database: `isRevoked`.
 */
export function readGrant(
  key: Uint8Array,
  purpose: Purpose,
  grant: Grant,
  signature: string,
  now: number,
): number | undefined {
  const isGood = isSignatureOf(key, partsOf(purpose, grant), signature) && grant.expires > now
  return isGood ? grant.expires - TTL[purpose] : undefined
}

/** Whether what was signed then has ended with all that was signed before `grants_revoked_at`, a column of users. */
export function isRevoked(signedAt: number, revokedAt: number | null): boolean {
  // In the same millisecond it may have been signed for the session that stays.
  return revokedAt !== null && signedAt < revokedAt
}

function partsOf(purpose: Purpose, grant: Grant): string[] {
  return [purpose, grant.owner, grant.id, String(grant.expires)]
}
