import { isEmail } from '@alcove/contract/credentials'
import { MAX_EMAIL_LENGTH } from '@alcove/contract/limits'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Services } from '../../../context.ts'
import type { OidcAssertion } from '../../../platform/oidc/oidc-error.ts'
import { OidcError } from '../../../platform/oidc/oidc-error.ts'
import { chooseGroups } from './group-names.ts'

/** A person at a provider, as far as it matters here. */
export interface Person {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  /** The address, if it is verified. */
  readonly email: string | null
  /** Undefined if the provider doesn't decide it. */
  readonly isAdmin?: boolean
  /** Bytes. Undefined if the provider doesn't decide it, null if it sent none. */
  readonly quota?: number | null
  /** The groups for sharing, and when the provider said so, in seconds. Undefined if they stay as they are. */
  readonly groups?: { readonly names: readonly string[]; readonly asOf: number }
  readonly idToken: string
  readonly sid?: string
}

type Claims = OidcAssertion['claims']

/** Returns the claims that a sign-in reads. Those that the ID token lacks are in the user info. */
export function claimsOf({
  trustsEmail,
  roleClaim,
  quotaClaim,
  groupsClaim,
  allowedGroups,
  groups,
}: ConfiguredProvider): string[] {
  const outermost = (claim: string) => [claim.split('.')[0] as string]
  return [
    'email',
    ...(trustsEmail ? [] : ['email_verified']),
    ...(roleClaim === null ? [] : outermost(roleClaim)),
    ...(quotaClaim === null ? [] : outermost(quotaClaim)),
    ...(allowedGroups.length + groups.length === 0 ? [] : outermost(groupsClaim)),
  ]
}

/** Throws if the person isn't in one of the groups that may sign in. */
export function assertAllowed({ allowedGroups, groupsClaim }: ConfiguredProvider, { claims }: OidcAssertion): void {
  const groups = textsOf(claims, groupsClaim)
  if (allowedGroups.length === 0 || allowedGroups.some((group) => groups.includes(group))) return
  throw new OidcError('denied', 'you are in none of the groups that may use this server', {
    fix: `The claim ${groupsClaim} ({GROUPS_CLAIM}) must contain one of {ALLOWED_GROUPS}: ${allowedGroups.join(', ')}.`,
  })
}

/** Reads what a provider asserts. */
export function readPerson(
  { log }: Pick<Services, 'log'>,
  provider: ConfiguredProvider,
  { issuer, subject, claims, idToken, sid }: OidcAssertion,
): Person {
  const { roleClaim, quotaClaim } = provider
  return {
    provider: provider.name,
    issuer,
    subject,
    email: readEmail(provider, claims),
    ...(roleClaim !== null && { isAdmin: textsOf(claims, roleClaim).includes(provider.adminValue) }),
    ...(quotaClaim !== null && { quota: readQuota(readClaim(claims, quotaClaim)) }),
    groups: readGroups(log, provider, claims),
    idToken,
    sid,
  }
}

/** A provider that sends no groups says that the person is in none, unless it says that they are too many for the token. */
function readGroups(log: Services['log'], provider: ConfiguredProvider, claims: Claims): Person['groups'] {
  if (provider.groups.length === 0) return undefined
  const named = textsOf(claims, provider.groupsClaim)
  if (named.length === 0 && isOverage(claims, provider.groupsClaim)) {
    log.warn({ provider: provider.name }, 'a person is in too many groups for the ID token, so nothing changes')
    return undefined
  }
  const { names, ignored } = chooseGroups(provider, named)
  if (ignored > 0) log.warn({ provider: provider.name, ignored }, 'some groups of a person are ignored')
  return { names, asOf: typeof claims.iat === 'number' ? Math.floor(claims.iat) : 0 }
}

/** Returns whether Microsoft Entra has left out the groups because they are too many, and says only where to ask for them. */
function isOverage(claims: Claims, groupsClaim: string): boolean {
  const elsewhere = claims._claim_names
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim)
  return isElsewhere || (groupsClaim === 'groups' && claims.hasgroups === true)
}

/** Returns the address if the provider has verified it. An unverified address says nothing about who somebody is. */
function readEmail({ trustsEmail }: ConfiguredProvider, claims: Claims): string | null {
  const { email, email_verified } = claims
  if (typeof email !== 'string' || email.length > MAX_EMAIL_LENGTH) return null
  const normal = email.trim().toLowerCase()
  // Some providers send the text "true".
  const isVerified = trustsEmail || email_verified === true || email_verified === 'true'
  return isVerified && isEmail(normal) ? normal : null
}

/** Returns a claim. `realm_access.roles` is the member `roles` of the claim `realm_access`, unless a claim has the whole name. */
function readClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      claims,
    )
}

function textsOf(claims: Claims, path: string): string[] {
  const value = readClaim(claims, path)
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
}

/** Reads a number of bytes, or text like `50 GB`. Returns null if it is neither. */
function readQuota(value: unknown): number | null {
  const [, number = '', unit = ''] = /^\s*(\d{1,15}(?:\.\d{1,6})?)\s*([a-z]*)\s*$/i.exec(String(value ?? '')) ?? []
  const factor = UNITS[unit.toUpperCase() || 'B']
  if (number === '' || factor === undefined) return null
  const bytes = Math.round(Number(number) * factor)
  return Number.isSafeInteger(bytes) ? bytes : null
}
