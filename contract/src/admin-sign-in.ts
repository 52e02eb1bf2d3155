import { z } from 'zod'
import { defineCall } from './call.ts'
import { done } from './fields.ts'
import { HOUR } from './rate-limits.ts'
import { describedProvider } from './single-sign-on.ts'

/** How people sign in, as administrators change it. */

const provider = describedProvider.omit({ clientSecret: true }).extend({
  hasSecret: z.boolean(),
  source: z.enum(['environment', 'administration']).describe('Those of the environment can’t be changed here'),
  redirectUri: z.url().describe('To be entered at the provider'),
})
/** A provider with its settings. Its secret never leaves the server. */
export type AdminProvider = z.infer<typeof provider>

const settings = z.object({
  hasPasswords: z.boolean().describe('Whether users other than administrators may sign in with passwords and passkeys'),
  straightTo: z.string().max(64).nullable().describe('The provider to which the sign-in page leads at once'),
})

const state = settings.extend({
  providers: z.array(provider).describe('In the order of the sign-in page'),
  signOutUri: z.url().describe('To be entered at providers, for signing out there'),
})
export type SignInState = z.infer<typeof state>

const name = z.string().max(64)

export const getSignInSettings = defineCall({
  method: 'GET',
  path: '/admin/sign-in',
  access: 'admin',
  scope: 'admin',
  summary: 'Get how people sign in: the providers, and whether passwords are on',
  input: z.object({}),
  output: state,
})

export const changeSignInSettings = defineCall({
  method: 'PUT',
  path: '/admin/sign-in',
  access: 'admin',
  scope: 'admin',
  summary: 'Change how people sign in, and the order of the providers',
  input: settings.partial().extend({
    order: z.array(name).max(100).optional().describe('The names of the providers. Those that are missing come last'),
  }),
  output: state,
})

export const saveProvider = defineCall({
  method: 'PUT',
  path: '/admin/sign-in/provider/{name}',
  access: 'admin',
  scope: 'admin',
  summary: 'Add a provider, or replace its settings. Without a secret, the stored one stays',
  input: describedProvider.extend({
    removesSecret: z.boolean().optional().describe('Whether the stored secret is removed: the client is public'),
  }),
  output: state,
})

export const removeProvider = defineCall({
  method: 'DELETE',
  path: '/admin/sign-in/provider/{name}',
  access: 'admin',
  scope: 'admin',
  summary: 'Remove a provider. The links of accounts to it stay, for the case that it comes back',
  input: z.object({ name }),
  output: done,
})

export const testProvider = defineCall({
  method: 'POST',
  path: '/admin/sign-in/provider/{name}/test',
  access: 'admin',
  scope: 'admin',
  summary: 'Check that a provider can be reached and accepts this server',
  input: z.object({ name }),
  output: z.object({ isWorking: z.boolean(), message: z.string(), fix: z.string().nullable() }),
  rateLimit: { points: 120, seconds: HOUR },
})
