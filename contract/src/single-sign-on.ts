import { z } from 'zod'
import { signedIn } from './accounts.ts'
import { defineCall } from './call.ts'
import { done, id, time } from './fields.ts'
import { MINUTE } from './rate-limits.ts'
import { code } from './two-factor.ts'

/** Sign-in through OpenID Connect providers. Their names are part of addresses and of the names of settings. */

/** Returns whether an issuer can be used: over HTTPS, or on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username } = new URL(text)
  if (search !== '' || hash !== '' || username !== '') return false
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/
const MAX_LIST = 100

/** What the settings of a provider are called where they aren't variables of the environment. */
export const providerLabels = {
  name: 'The name',
  label: 'The label',
  issuer: 'The issuer',
  clientId: 'The client ID',
  clientSecret: 'The client secret',
  scopes: 'The scopes',
  newAccounts: 'New accounts',
  domains: 'The domains',
  trustsEmail: 'Trust in addresses',
  roleClaim: 'The role claim',
  adminValue: 'The value of administrators',
  quotaClaim: 'The quota claim',
  groupsClaim: 'The groups claim',
  allowedGroups: 'The allowed groups',
  groups: 'The groups for sharing',
  signsOut: 'Sign-out at the provider',
} as const
type Field = keyof typeof providerLabels

/** Describes what is configured of a provider, its secret and name aside. `say` makes a message of what is wrong with a field. */
function settingsOf(say: (field: Field, problem: string) => string) {
  const words = (field: Field, maximum: number) =>
    z
      .string(say(field, 'is missing'))
      .trim()
      .min(1, say(field, 'must not be empty'))
      .max(maximum, say(field, `must have at most ${maximum} characters`))
      .regex(/^\P{Cc}*$/u, say(field, 'must not contain control characters'))
  return z.object({
    label: words('label', 50).describe('What the button says: “Continue with …”'),
    issuer: words('issuer', 500).refine(
      isIssuer,
      say('issuer', 'must be the https:// address of the issuer, exactly as the provider shows it'),
    ),
    clientId: words('clientId', 500),
    scopes: words('scopes', 500)
      .refine((text) => text.split(/\s+/).includes('openid'), say('scopes', 'must contain openid'))
      .default('openid profile email'),
    newAccounts: z
      .enum(['everyone', 'invited', 'nobody'], say('newAccounts', 'must be everyone, invited or nobody'))
      .default('invited')
      .describe('Who gets an account at the first sign-in. `invited` includes all addresses of `domains`'),
    domains: z
      .array(
        z.string().trim().toLowerCase().regex(DOMAIN, say('domains', 'must be a list of domains, like example.com')),
      )
      .max(MAX_LIST, say('domains', `can be at most ${MAX_LIST}`))
      .default([]),
    trustsEmail: z
      .boolean()
      .default(false)
      .describe('Whether addresses count as verified although the provider doesn’t say so'),
    roleClaim: words('roleClaim', 200)
      .nullable()
      .default(null)
      .describe('The claim that decides who is an administrator'),
    adminValue: words('adminValue', 200)
      .default('admin')
      .describe('The value of this claim that makes an administrator'),
    quotaClaim: words('quotaClaim', 200)
      .nullable()
      .default(null)
      .describe('The claim with the quota: bytes, or text like `50 GB`'),
    groupsClaim: words('groupsClaim', 200).default('groups'),
    allowedGroups: z
      .array(words('allowedGroups', 200))
      .max(MAX_LIST, say('allowedGroups', `can be at most ${MAX_LIST}`))
      .default([])
      .describe('Only their members may sign in. Empty for all'),
    groups: z
      .array(words('groups', 200))
      .max(MAX_LIST, say('groups', `can be at most ${MAX_LIST}`))
      .default([])
      .describe('The groups that folders can be shared with. `*` stands for any characters, and alone for all groups'),
    signsOut: z.boolean().default(true).describe('Whether signing out here also signs out at the provider'),
  })
}

function namedOf(say: (field: Field, problem: string) => string) {
  return settingsOf(say).extend({
    name: z
      .string()
      .regex(
        /^[a-z][a-z0-9]{0,31}$/,
        say('name', 'must start with a letter and have only lower case letters and digits, at most 32'),
      ),
    clientSecret: z
      .string()
      .trim()
      .min(1, say('clientSecret', 'must not be empty'))
      .max(1000, say('clientSecret', 'must have at most 1000 characters'))
      .optional(),
  })
}

/** A provider as the environment has it. The messages continue the name of a variable. */
export const configuredProvider = namedOf((_field, problem) => problem)
export type ConfiguredProvider = z.infer<typeof configuredProvider>
/** A provider as calls have it. */
export const describedProvider = namedOf((field, problem) => `${providerLabels[field]} ${problem}.`)

const provider = z.object({ name: z.string(), label: z.string() })
/** A provider as the sign-in page shows it. */
export type SignInProvider = z.infer<typeof provider>

/** A response that hands the browser to a provider. The secret never leaves the browser's tab until the user returns. */
const started = z.object({
  url: z.url().describe('Where the user signs in'),
  secret: z.string().describe('For `/sign-in/finish`. Keep it in the tab that opens the address'),
})
const startLimit = { points: 120, seconds: 10 * MINUTE }
const finishLimit = { points: 120, seconds: 10 * MINUTE }

export const getSignInOptions = defineCall({
  method: 'GET',
  path: '/sign-in/options',
  worksInMaintenance: true,
  access: 'public',
  summary: 'List the ways to sign in',
  input: z.object({}),
  output: z.object({
    providers: z.array(provider),
    hasPasswords: z
      .boolean()
      .describe('Whether users other than administrators may sign in with passwords and passkeys'),
    straightTo: z.string().nullable().describe('The provider to which the sign-in page leads at once'),
  }),
})

export const startSignIn = defineCall({
  method: 'POST',
  path: '/sign-in/start',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Start signing in through an OpenID Connect provider',
  input: z.object({ provider: z.string().max(64) }),
  output: started,
  rateLimit: startLimit,
})

/** What the browser brings back from a provider. */
const callback = z.object({
  provider: z.string().max(64).describe('From the address: `/sign-in/callback/{provider}`'),
  query: z.string().max(8192).describe('The query of the address to which the provider sent the browser'),
  secret: z.string().max(64).describe('From the response that started the sign-in'),
})

/** What the browser keeps of a sign-in through a provider that isn't complete. */
const ticket = z.string().describe('Pass it to `/login`, `/login/two-factor` or `/login/passkey`')

export const finishSignIn = defineCall({
  method: 'POST',
  path: '/sign-in/finish',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Finish signing in through an OpenID Connect provider',
  input: callback,
  output: z.discriminatedUnion('result', [
    signedIn.extend({ result: z.literal('signed_in') }),
    z
      .object({ result: z.literal('code_required'), challenge: z.string(), ticket })
      .describe('The account has two-factor sign-in on: continue with `/login/two-factor`'),
    z
      .object({ result: z.literal('link_required'), email: z.string(), ticket })
      .describe('An account has this address. Sign in to it with the ticket, which links it to the provider'),
  ]),
  rateLimit: finishLimit,
})

const identity = z.object({
  id,
  name: z.string().nullable().describe('Of the provider. Null if it is not configured any more'),
  provider: z.string().describe('The label of the provider, or else its issuer'),
  email: z.string().nullable().describe('The address at the provider'),
  createdAt: time,
  lastUsedAt: time.nullable(),
})
export type Identity = z.infer<typeof identity>

export const getSignInMethods = defineCall({
  method: 'GET',
  path: '/account/sign-in',
  access: 'user',
  beforeTwoFactor: true,
  summary: "List the account's ways to sign in through providers, and whether it has a password",
  input: z.object({}),
  output: z.object({
    hasPassword: z.boolean(),
    identities: z.array(identity),
    providers: z.array(provider).describe('Those to which the account can be linked'),
  }),
})

export const startLink = defineCall({
  method: 'POST',
  path: '/account/sign-in/link',
  access: 'user',
  recentSignIn: true,
  summary: 'Start linking the account to an identity at a provider',
  input: z.object({ provider: z.string().max(64) }),
  output: started,
  rateLimit: startLimit,
})

export const startConfirmation = defineCall({
  method: 'POST',
  path: '/reauthenticate/provider',
  access: 'user',
  beforeTwoFactor: true,
  summary: 'Start confirming this session through a provider that the account is linked to',
  input: z.object({
    provider: z.string().max(64),
    code: code.optional().describe('Required if two-factor sign-in is on'),
  }),
  output: started,
  rateLimit: startLimit,
})

export const finishForAccount = defineCall({
  method: 'POST',
  path: '/account/sign-in/finish',
  access: 'user',
  beforeTwoFactor: true,
  summary: 'Finish linking the account, or confirming this session, after the provider sent the browser back',
  input: callback,
  output: done.extend({ purpose: z.enum(['link', 'confirm']) }),
  rateLimit: finishLimit,
})

export const unlinkIdentity = defineCall({
  method: 'DELETE',
  path: '/account/sign-in/{id}',
  access: 'user',
  recentSignIn: true,
  summary: 'Remove the link to an identity at a provider. The last way to sign in can’t be removed',
  input: z.object({ id }),
  output: done,
})
