import { type ConfiguredProvider, configuredProvider, providerLabels } from '@alcove/contract/single-sign-on'

/** The fields of a provider by the ends of their variables: `ALCOVE_OIDC_KEYCLOAK_ISSUER`. */
const fields = {
  ISSUER: 'issuer',
  CLIENT_ID: 'clientId',
  CLIENT_SECRET: 'clientSecret',
  LABEL: 'label',
  SCOPES: 'scopes',
  NEW_ACCOUNTS: 'newAccounts',
  DOMAINS: 'domains',
  TRUST_EMAIL: 'trustsEmail',
  ROLE_CLAIM: 'roleClaim',
  ADMIN_VALUE: 'adminValue',
  QUOTA_CLAIM: 'quotaClaim',
  GROUPS_CLAIM: 'groupsClaim',
  ALLOWED_GROUPS: 'allowedGroups',
  GROUPS: 'groups',
  SIGN_OUT: 'signsOut',
} as const satisfies Record<string, keyof ConfiguredProvider>
type Ending = keyof typeof fields

const lists: ReadonlySet<Ending> = new Set(['DOMAINS', 'ALLOWED_GROUPS', 'GROUPS'])
const switches: ReadonlySet<Ending> = new Set(['TRUST_EMAIL', 'SIGN_OUT'])

/** Returns what a setting of a provider is called: in the environment, or else in the administration. */
export function nameOfSetting(provider: string, ending: string, isVariable: boolean): string {
  if (isVariable || !Object.hasOwn(fields, ending)) return `ALCOVE_OIDC_${provider.toUpperCase()}_${ending}`
  const label = providerLabels[fields[ending as Ending]]
  return label.charAt(0).toLowerCase() + label.slice(1)
}

/** Returns whether a variable is one of a provider. */
export function isOidcSetting(name: string): boolean {
  return split(name) !== undefined
}

function split(variable: string): { name: string; ending: Ending } | undefined {
  const [, name = '', ending = ''] = /^ALCOVE_OIDC_([A-Z][A-Z0-9]{0,31})_([A-Z_]+)$/.exec(variable) ?? []
  return Object.hasOwn(fields, ending) ? { name: name.toLowerCase(), ending: ending as Ending } : undefined
}

/**
 * Reads the providers from the environment, in the order of their variables. Calls `fail`, which throws, with a line that names the
 * variable if one is unknown, missing or invalid.
 */
export function readOidcProviders(
  environment: Readonly<Record<string, string | undefined>>,
  fail: (line: string) => never,
): ConfiguredProvider[] {
  const found = new Map<string, Record<string, unknown>>()
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('ALCOVE_OIDC_') || text === undefined) continue
    const part = split(variable)
    if (!part) {
      fail(
        `${variable} is not a setting. A provider has ALCOVE_OIDC_NAME_ and one of ${Object.keys(fields).join(', ')}.`,
      )
    }
    found.set(part.name, { ...found.get(part.name), [fields[part.ending]]: toValue(part.ending, text, variable, fail) })
  }
  return [...found].map(([name, given]) => parseProvider(name, given, fail))
}

function toValue(ending: Ending, text: string, variable: string, fail: (line: string) => never): unknown {
  if (lists.has(ending)) return text.split(',').map((part) => part.trim())
  if (!switches.has(ending)) return text
  if (text !== 'on' && text !== 'off') fail(`${variable} must be on or off.`)
  return text === 'on'
}

function parseProvider(name: string, given: object, fail: (line: string) => never): ConfiguredProvider {
  const label = name.charAt(0).toUpperCase() + name.slice(1)
  const result = configuredProvider.safeParse({ label, ...given, name })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const ending = Object.entries(fields).find(([, field]) => field === issue?.path[0])?.[0]
  const message = issue?.code === 'invalid_type' ? 'is missing' : issue?.message
  return fail(`ALCOVE_OIDC_${name.toUpperCase()}_${ending} ${message}.`)
}
