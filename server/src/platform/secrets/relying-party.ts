import { isIP } from 'node:net'
import { isLoopback } from '../../config.ts'

/** Whom passkeys are made for (WebAuthn): a domain, and the origin of its pages. */
export interface RelyingParty {
  id: string
  /** Whether a page at an origin is one of ours. */
  isOwnOrigin(origin: string): boolean
}

/** The relying party at the public address, or why there can be none. */
export function findRelyingParty(publicUrl: string): RelyingParty | { reason: string } {
  const { hostname, protocol, origin } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0) {
    return { reason: 'Passkeys need an address with a name; this one is a number.' }
  }
  const isHere = isLoopback(publicUrl)
  if (protocol !== 'https:' && !isHere) return { reason: 'Passkeys need an address that starts with https.' }
  return { id: hostname, isOwnOrigin: (given) => given === origin || (isHere && isSameHost(given, hostname)) }
}

/** On one's own machine any port will do: in development the pages come from another one than the API. */
function isSameHost(origin: string, hostname: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin && new URL(origin).hostname === hostname
}
