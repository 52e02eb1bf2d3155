import { z } from 'zod'
import { defineCall } from './call.ts'
import { currentPassword, done, email, id, isEmail, newPassword, resetPassword } from './fields.ts'
import { MAX_PASSWORD_LENGTH } from './limits.ts'

const LOGIN_FAILED = 'Login failed.'
/** What is typed to sign in. Whatever is malformed about it, the sentence is the same. */
const credentials = z.object({
  email: z.string(LOGIN_FAILED).trim().toLowerCase().refine(isEmail, LOGIN_FAILED),
  password: z
    .string(LOGIN_FAILED)
    .max(MAX_PASSWORD_LENGTH, LOGIN_FAILED)
    .refine((text) => text.trim() !== '', LOGIN_FAILED),
})
const NO_TOKEN = 'No token was given.'
const token = z.string(NO_TOKEN).min(1, NO_TOKEN).max(512, 'This link is invalid or has expired.')

export const register = defineCall({
  method: 'POST',
  path: '/register',
  access: 'public',
  summary: 'Open an account; a mail with the activation link follows',
  input: z.object({ email, password: newPassword }),
  output: done.extend({
    proof: z.string().describe('For `/activate`: shows that the one who registered opens the link'),
  }),
  status: 201,
})

export const activate = defineCall({
  method: 'POST',
  path: '/activate',
  access: 'public',
  summary: 'Activate an account, or confirm a new address, with the token of the mail',
  input: z.object({
    token,
    proof: z.string().max(64).optional().describe('What `/register` answered with'),
    password: currentPassword.optional().describe('The password that was chosen at registration'),
    newPassword: newPassword.optional().describe('Another one in its place'),
  }),
  output: done,
})

/** What every way of signing in ends with. */
export const signedIn = z.object({ token: z.string(), planName: z.string(), planId: z.int(), email: z.string() })
export type SignedIn = z.infer<typeof signedIn>

export const login = defineCall({
  method: 'POST',
  path: '/login',
  access: 'public',
  summary: 'Sign in; where two-factor sign-in is on, the answer has no token, and `/login/two-factor` comes next',
  input: credentials,
  output: z.union([
    signedIn.extend({ twoFactorRequired: z.literal(false).optional() }),
    z.object({ twoFactorRequired: z.literal(true), challenge: z.string().describe('For `/login/two-factor`') }),
  ]),
})

export const logout = defineCall({
  method: 'POST',
  path: '/logout',
  access: 'user',
  summary: 'End this session',
  input: z.object({}),
  output: done,
})

export const resendActivation = defineCall({
  method: 'POST',
  path: '/resend-activation',
  access: 'public',
  summary: 'Send the activation mail again; the answer is alike for known and unknown addresses',
  input: z.object({ email }),
  output: done,
})

export const forgotPassword = defineCall({
  method: 'POST',
  path: '/forgot-password',
  access: 'public',
  summary: 'Ask for a password reset mail; the answer is alike for known and unknown addresses',
  input: z.object({ email }),
  output: done,
})

export const validatePassword = defineCall({
  method: 'GET',
  path: '/validate-password/{resetToken}',
  access: 'public',
  summary: 'Whether a password reset token is good',
  input: z.object({ resetToken: token }),
  output: done,
})

export const resetPasswordCall = defineCall({
  method: 'POST',
  path: '/reset-password/{resetToken}',
  access: 'public',
  summary: 'Choose a new password with the token of the mail; ends every session of the account',
  input: z.object({ resetToken: token, token: token.optional(), newPassword: resetPassword }),
  output: done,
})

export const getAccountStatus = defineCall({
  method: 'GET',
  path: '/account/status',
  access: 'user',
  summary: 'Whether the account is activated',
  input: z.object({}),
  output: z.object({ isActivated: z.boolean() }),
})

export const updateEmail = defineCall({
  method: 'POST',
  path: '/update-email',
  access: 'user',
  summary:
    'Take another address: this session stays, and signing in needs the new one confirmed by the link of its mail',
  input: z.object({
    email: z.string().trim().toLowerCase().max(1024).describe("The account's address as it is"),
    newEmail: email,
    password: currentPassword,
  }),
  output: z.object({ message: z.string(), email: z.string().describe('The new address') }),
})

export const updatePassword = defineCall({
  method: 'POST',
  path: '/update-password',
  access: 'user',
  summary: 'Choose another password; ends every other session of the account',
  input: z.object({ currentPassword, newPassword }),
  output: done,
})

export const deleteAccount = defineCall({
  method: 'DELETE',
  path: '/account/delete',
  access: 'user',
  recentSignIn: true,
  summary: 'Delete the account with all that is in it, at once and for good; a subscription is cancelled',
  input: z.object({}),
  output: done,
})

export const getDataUrl = defineCall({
  method: 'POST',
  path: '/account/data-url',
  access: 'user',
  recentSignIn: true,
  summary: "A short-lived address from which a browser downloads the account's details and files as one ZIP",
  input: z.object({}),
  output: z.object({ url: z.url() }),
})

export const downloadData = defineCall({
  method: 'GET',
  path: '/account/data',
  access: 'public',
  summary: 'The ZIP behind an address that /account/data-url gave',
  input: z.object({ owner: id, expires: z.string().max(20), signature: z.string().max(100) }),
  output: z.undefined(),
  responseType: 'bytes',
})
