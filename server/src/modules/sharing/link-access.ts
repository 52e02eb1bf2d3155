import { LINK_ACCESS_TTL } from '@alcove/contract/limits'
import type { Context } from '../../context.ts'
import type { PublicLinkRow } from '../../platform/db/tables.ts'
import { isSignatureOf, signParts } from '../../platform/secrets/secrets.ts'

type LockedLink = Pick<PublicLinkRow, 'token' | 'password_hash'>

/**
 * What a signature vouches for. The hash is part of it, and its salt is new with every password: changing or removing
 * the password ends what was opened with the one before.
 */
function partsOf({ token, password_hash }: LockedLink, expires: number): string[] {
  return ['public link', token, password_hash ?? '', String(expires)]
}

/** Opens a link for a while to whoever knew its password. It travels in addresses, so that browsers download by it. */
export function signAccess({ secrets, clock }: Context, link: LockedLink): { access: string; expires: number } {
  const expires = clock.now() + LINK_ACCESS_TTL
  return { access: `${expires}.${signParts(secrets.urlKey, partsOf(link, expires))}`, expires }
}

export function hasAccess({ secrets, clock }: Context, link: LockedLink, access: string | undefined): boolean {
  if (link.password_hash === null) return true
  const [, expires, signature] = /^(\d{1,15})\.([\w-]+)$/.exec(access ?? '') ?? []
  if (expires === undefined || signature === undefined) return false
  return isSignatureOf(secrets.urlKey, partsOf(link, Number(expires)), signature) && Number(expires) > clock.now()
}
