import type { AdminProvider, saveProvider } from '@alcove/contract/admin-sign-in'
import type { InputOf } from '@alcove/contract/call'

/** What the form of a provider has, mostly as text. */
export interface ProviderFields {
  readonly name: string
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: string
  readonly newAccounts: AdminProvider['newAccounts']
  readonly domains: string
  readonly trustsEmail: boolean
  readonly roleClaim: string
  readonly adminValue: string
  readonly quotaClaim: string
  readonly groupsClaim: string
  readonly allowedGroups: string
  readonly groups: string
  readonly signsOut: boolean
}

const EMPTY: ProviderFields = {
  name: '',
  label: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: 'openid profile email',
  newAccounts: 'invited',
  domains: '',
  trustsEmail: false,
  roleClaim: '',
  adminValue: 'admin',
  quotaClaim: '',
  groupsClaim: 'groups',
  allowedGroups: '',
  groups: '',
  signsOut: true,
}

/** Returns the fields of a provider, or those of a new one. */
export function fieldsOf(provider: AdminProvider | undefined): ProviderFields {
  if (!provider) return EMPTY
  return {
    ...EMPTY,
    ...provider,
    domains: provider.domains.join(', '),
    allowedGroups: provider.allowedGroups.join(', '),
    groups: provider.groups.join(', '),
    roleClaim: provider.roleClaim ?? '',
    quotaClaim: provider.quotaClaim ?? '',
    clientSecret: '',
  }
}

/** Returns what is sent to the server. Without a new secret, the stored one stays. */
export function inputOf(fields: ProviderFields): InputOf<typeof saveProvider> {
  return {
    ...fields,
    name: fields.name || nameOf(fields.label),
    clientSecret: fields.clientSecret.trim() || undefined,
    domains: listOf(fields.domains),
    allowedGroups: listOf(fields.allowedGroups),
    groups: listOf(fields.groups),
    roleClaim: fields.roleClaim.trim() || null,
    quotaClaim: fields.quotaClaim.trim() || null,
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Returns the name that a label suggests: lower case letters and digits, since it is part of an address. */
export function nameOf(label: string): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 32)
  return plain || 'provider'
}
