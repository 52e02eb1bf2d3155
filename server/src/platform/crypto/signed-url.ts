import { DOWNLOAD_URL_TTL, STREAM_URL_TTL } from '@alcove/contract/limits'
import { isSignatureOf, signParts } from './secrets.ts'

/** How long addresses are valid, by purpose. An address for a download can't be used for a stream or a data export. */
const TTL = { download: DOWNLOAD_URL_TTL, stream: STREAM_URL_TTL, account: DOWNLOAD_URL_TTL } as const
type Purpose = keyof typeof TTL

interface Subject {
  /** The id of an item, of a selection of items, or of the user whose account it is. */
  id: string
  owner: string
  /** The membership for which it is signed, in a shared folder. The address works only as long as the membership does. */
  member?: string | undefined
}

/** What a signed address grants: the bytes of one subject, until a time. */
export interface Grant extends Subject {
  /** Milliseconds since 1970. */
  expires: number
}

/** Signs a grant that begins now. The query makes an address valid: `owner`, `expires`, `signature` and, if there is one, `member`. */
export function signGrant(
  key: Uint8Array,
  purpose: Purpose,
  { id, owner, member }: Subject,
  now: number,
): { query: URLSearchParams; expires: number } {
  const expires = now + TTL[purpose]
  const signature = signParts(key, partsOf(purpose, { id, owner, member, expires }))
  const query = new URLSearchParams({ owner, expires: String(expires), signature, ...(member && { member }) })
  return { query, expires }
}

/**
 * Returns when a valid address was signed, in milliseconds since 1970, else undefined. The caller must check whether its user
 * has revoked it since: `isRevoked`.
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

/** Returns whether a signature was revoked: users revoke all that was signed before `grants_revoked_at`. */
export function isRevoked(signedAt: number, revokedAt: number | null): boolean {
  // In the same millisecond it may have been signed for the session that stays.
  return revokedAt !== null && signedAt < revokedAt
}

function partsOf(purpose: Purpose, grant: Grant): string[] {
  return [purpose, grant.owner, grant.id, String(grant.expires), ...(grant.member ? [grant.member] : [])]
}
