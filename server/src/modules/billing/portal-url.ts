import type { UserContext } from '../../context.ts'
import { isSignatureOf, signParts } from '../../platform/secrets/secrets.ts'

/** The address of the portal lives as long as the session that it was made for, and no longer than this. */
const TTL = 24 * 3_600_000

export const PORTAL_PATH = '/billing-portal'

/** Which session may open the portal, until when. */
export interface PortalGrant {
  session: string
  expires: string
}

type Signing = Pick<UserContext, 'config' | 'secrets' | 'clock'> & { user: { sessionId: string } }

function partsOf({ session, expires }: PortalGrant): string[] {
  return ['portal', session, expires]
}

/**
 * An address of ours that leads to the provider's billing portal. The portal's own is good for minutes only, and a page may
 * stay open for hours.
 */
export function portalUrl({ config, secrets, clock, user }: Signing): string {
  const grant = { session: user.sessionId, expires: String(clock.now() + TTL) }
  const signature = signParts(secrets.urlKey, partsOf(grant))
  return `${config.publicUrl}/api${PORTAL_PATH}?${new URLSearchParams({ ...grant, signature })}`
}

export function isPortalGranted(key: Uint8Array, grant: PortalGrant, signature: string, now: number): boolean {
  return isSignatureOf(key, partsOf(grant), signature) && Number(grant.expires) > now
}
