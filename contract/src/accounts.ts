import { z } from 'zod'
import { defineCall } from './call.ts'
import { isEmail } from './credentials.ts'
import { currentPassword, done, email, flag, id, newPassword, ownPassword, passwordForReset } from './fields.ts'
import { MAX_PASSWORD_LENGTH } from './limits.ts'
import { HOUR, MINUTE, PASSWORD_CALLS } from './rate-limits.ts'

const LOGIN_FAILED = 'Login failed.'
/** The fields of the sign-in form. Malformed input always gets the same message. */
const credentials = z.object({
  email: z.string(LOGIN_FAILED).trim().toLowerCase().refine(isEmail, LOGIN_FAILED),
  password: z
    .string(LOGIN_FAILED)
    .max(MAX_PASSWORD_LENGTH, LOGIN_FAILED)
    .refine((text) => text.trim() !== '', LOGIN_FAILED),
})
/** What a sign-in through a provider that isn't complete leaves to the next call. */
export const ticket = z
  .string()
  .max(20_000)
  .optional()
  .describe('From `/sign-in/finish`: links the account to the identity at the provider')

const NO_TOKEN = 'No token was given.'
const token = z.string(NO_TOKEN).min(1, NO_TOKEN).max(512, 'This link is invalid or has expired.')

export const register = defineCall({
  method: 'POST',
  path: '/register',
  access: 'public',
  summary: 'Create an account and send the activation mail',
  input: z.object({ email, password: newPassword }),
  output: done.extend({
    proof: z.string().describe('Pass it to `/activate`: proves that the person who registered opens the link'),
  }),
  status: 201,
  rateLimit: { points: 60, seconds: 10 * MINUTE },
})

export const activate = defineCall({
  method: 'POST',
  path: '/activate',
  access: 'public',
  summary: 'Activate an account, or confirm a new address, with the token from the mail',
  input: z.object({
    token,
    proof: z.string().max(64).optional().describe('The `proof` that `/register` returned'),
    password: currentPassword.optional().describe('The password chosen at registration'),
    newPassword: newPassword.optional().describe('A new password to replace it'),
  }),
  output: done,
  rateLimit: { points: 300, seconds: HOUR },
})

/** The response to every successful sign-in. */
export const signedIn = z.object({ token: z.string(), planName: z.string(), planId: z.int(), email: z.string() })
export type SignedIn = z.infer<typeof signedIn>

export const login = defineCall({
  method: 'POST',
  path: '/login',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Sign in. If two-factor sign-in is on, the response has no token: continue with `/login/two-factor`',
  input: credentials.extend({ ticket }),
  output: z.union([
    signedIn.extend({ twoFactorRequired: z.literal(false).optional() }),
    z.object({ twoFactorRequired: z.literal(true), challenge: z.string().describe('For `/login/two-factor`') }),
  ]),
  rateLimit: PASSWORD_CALLS,
})

export const logout = defineCall({
  method: 'POST',
  path: '/logout',
  worksInMaintenance: true,
  access: 'user',
  beforeTwoFactor: true,
  summary: 'Sign out: end this session',
  input: z.object({}),
  output: done.extend({
    signOutUrl: z
      .url()
      .optional()
      .describe('Where the browser signs out of the provider through which the session began'),
  }),
})

export const resendActivation = defineCall({
  method: 'POST',
  path: '/resend-activation',
  access: 'public',
  summary: 'Send the activation mail again. The response is the same for known and unknown addresses',
  input: z.object({ email }),
  output: done,
  rateLimit: { points: 60, seconds: HOUR },
})

export const forgotPassword = defineCall({
  method: 'POST',
  path: '/forgot-password',
  access: 'public',
  summary: 'Send a password reset mail. The response is the same for known and unknown addresses',
  input: z.object({ email }),
  output: done,
  rateLimit: { points: 60, seconds: HOUR },
})

export const validatePassword = defineCall({
  method: 'GET',
  path: '/validate-password/{resetToken}',
  access: 'public',
  summary: 'Check a password reset token',
  input: z.object({ resetToken: token }),
  output: done,
  rateLimit: { points: 300, seconds: HOUR },
})

export const resetPassword = defineCall({
  method: 'POST',
  path: '/reset-password/{resetToken}',
  access: 'public',
  summary: 'Set a new password with the token from the mail. Ends every session of the account',
  input: z.object({ resetToken: token, token: token.optional(), newPassword: passwordForReset }),
  output: done,
  rateLimit: { points: 100, seconds: HOUR },
})

export const getAccountStatus = defineCall({
  method: 'GET',
  path: '/account/status',
  access: 'user',
  summary: 'Get whether the account is activated',
  input: z.object({}),
  output: z.object({ isActivated: z.boolean() }),
})

export const updateEmail = defineCall({
  method: 'POST',
  path: '/update-email',
  access: 'user',
  summary:
    'Change the email address. This session stays signed in; the next sign-in requires that the new address is confirmed',
  input: z.object({
    email: z.string().trim().toLowerCase().max(1024).describe('The current address'),
    newEmail: email,
    password: ownPassword,
  }),
  output: z.object({ message: z.string(), email: z.string().describe('The new address') }),
  rateLimit: PASSWORD_CALLS,
})

export const updatePassword = defineCall({
  method: 'POST',
  path: '/update-password',
  access: 'user',
  summary: 'Change the password. Ends every other session of the account',
  input: z.object({ currentPassword: ownPassword, newPassword }),
  output: done,
  rateLimit: PASSWORD_CALLS,
})

export const deleteAccount = defineCall({
  method: 'DELETE',
  path: '/account/delete',
  access: 'user',
  recentSignIn: true,
  summary: 'Delete the account and all its data permanently, and cancel the subscription',
  input: z.object({}),
  output: done,
})

export const getDataUrl = defineCall({
  method: 'POST',
  path: '/account/data-url',
  access: 'user',
  recentSignIn: true,
  summary: "Get a short-lived URL that downloads the account's details and files as one ZIP",
  input: z.object({ history: flag.describe('Also includes earlier versions of the files') }),
  output: z.object({ url: z.url() }),
})

export const downloadData = defineCall({
  method: 'GET',
  path: '/account/data',
  access: 'public',
  summary: 'Download all data as a ZIP, with a URL from `/account/data-url`',
  input: z.object({ owner: id, expires: z.string().max(20), signature: z.string().max(100), history: flag }),
  output: z.undefined(),
  responseType: 'bytes',
})
