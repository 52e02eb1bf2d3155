import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, email, isEmail, newPassword, resetPassword } from './fields.ts'
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
const token = z.string().min(1, 'No token was given.').max(512)

export const register = defineCall({
  method: 'POST',
  path: '/register',
  access: 'public',
  summary: 'Open an account; a mail with the activation link follows',
  input: z.object({ email, password: newPassword }),
  output: done,
  status: 201,
})

export const activate = defineCall({
  method: 'POST',
  path: '/activate',
  access: 'public',
  summary: 'Activate an account, or confirm a new address, with the token of the mail',
  input: z.object({ token }),
  output: done,
})

export const login = defineCall({
  method: 'POST',
  path: '/login',
  access: 'public',
  summary: 'Sign in',
  input: credentials,
  output: z.object({ token: z.string(), planName: z.string(), planId: z.int(), email: z.string() }),
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
