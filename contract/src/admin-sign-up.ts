import { z } from 'zod'
import { defineCall } from './call.ts'
import { isDomain, signUpModes } from './sign-up-modes.ts'

const MAX_DOMAINS = 100
/** The largest quota that can be given: 1 PiB, so that sums of bytes stay exact. */
export const MAX_QUOTA = 2 ** 50

const MODE = 'The mode must be open, invite, domain or closed.'
const DOMAIN = 'A domain looks like example.com.'
const QUOTA = 'The quota must be a whole number of bytes, or null.'

/** Bytes. */
export const quota = z.int(QUOTA).min(0, QUOTA).max(MAX_QUOTA, 'The quota can be at most 1 PB.')

/** A plan that accounts get without payment. The server knows which there are. */
export const grantedPlanId = z.int('Choose a plan.').min(0, 'Choose a plan.')

const signUpSettings = z.object({
  mode: z
    .enum(signUpModes, MODE)
    .describe('Who can register: everyone, only invited people, addresses of certain domains, or nobody'),
  domains: z
    .array(z.string(DOMAIN).trim().toLowerCase().refine(isDomain, DOMAIN), 'The domains must be a list.')
    .max(MAX_DOMAINS, `There can be at most ${MAX_DOMAINS} domains.`)
    .transform((domains) => [...new Set(domains)])
    .describe('For the mode `domain`'),
  allowsSharedFolders: z
    .boolean('allowsSharedFolders must be true or false.')
    .describe('Whether people who were invited to a shared folder can register, in every mode'),
  defaultPlanId: grantedPlanId.describe('The plan that new accounts get without payment; 0 for the free plan'),
  defaultQuota: quota
    .nullable()
    .describe('The quota in bytes of accounts without a larger plan or a quota of their own; null for 10 GB'),
  requireTwoFactor: z
    .boolean('requireTwoFactor must be true or false.')
    .describe('Whether accounts can do nothing but set up two-factor sign-in until it is on'),
})
export type SignUpSettings = z.infer<typeof signUpSettings>

export const getSignUpSettings = defineCall({
  method: 'GET',
  path: '/admin/settings/sign-up',
  access: 'admin',
  scope: 'admin',
  summary: 'Get who can create an account, and what new accounts get',
  input: z.object({}),
  output: signUpSettings,
})

export const changeSignUpSettings = defineCall({
  method: 'PUT',
  path: '/admin/settings/sign-up',
  access: 'admin',
  scope: 'admin',
  recentSignIn: true,
  summary: 'Change who can create an account, and what new accounts get. What isn’t sent stays as it is',
  input: signUpSettings.partial(),
  output: signUpSettings,
})
