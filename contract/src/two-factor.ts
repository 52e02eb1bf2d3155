import { z } from 'zod'
import { signedIn } from './accounts.ts'
import { defineCall } from './call.ts'
import { currentPassword, done, time } from './fields.ts'

const ENTER_CODE = 'Enter the code.'
/** Six digits of the authenticator app, or a recovery code where one will do; blanks and dashes do not count. */
export const code = z
  .string(ENTER_CODE)
  .max(64, 'This code is not right.')
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .refine((text) => text !== '', ENTER_CODE)

const recoveryCodes = z
  .array(z.string())
  .describe('Shown this once: each signs in once in place of a code. Earlier ones no longer do')

export const getTwoFactor = defineCall({
  method: 'GET',
  path: '/account/two-factor',
  access: 'user',
  summary: 'Whether signing in takes a code of an authenticator app',
  input: z.object({}),
  output: z.object({
    isEnabled: z.boolean(),
    enabledAt: time.nullable(),
    recoveryCodesLeft: z.int().nonnegative(),
  }),
})

export const beginTwoFactor = defineCall({
  method: 'POST',
  path: '/account/two-factor/begin',
  access: 'user',
  summary: 'A new secret for the authenticator app; nothing is switched on before a code of it has come back',
  input: z.object({ password: currentPassword }),
  output: z.object({
    secret: z.string().describe('Base32, for typing in'),
    uri: z.string().describe('`otpauth://…`, for the QR code'),
  }),
})

export const enableTwoFactor = defineCall({
  method: 'POST',
  path: '/account/two-factor',
  access: 'user',
  recentSignIn: true,
  summary: 'Switch two-factor sign-in on, with a code made of the new secret',
  input: z.object({ code }),
  output: z.object({ recoveryCodes }),
})

export const disableTwoFactor = defineCall({
  method: 'POST',
  path: '/account/two-factor/disable',
  access: 'user',
  summary: 'Switch two-factor sign-in off; takes both, the password and a code or recovery code',
  input: z.object({ password: currentPassword, code }),
  output: done,
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/account/two-factor/recovery-codes',
  access: 'user',
  summary: 'New recovery codes in place of all earlier ones; takes the password and a code or recovery code',
  input: z.object({ password: currentPassword, code }),
  output: z.object({ recoveryCodes }),
})

export const loginWithCode = defineCall({
  method: 'POST',
  path: '/login/two-factor',
  access: 'public',
  summary: 'The second step of signing in: what `/login` gave, with a code or a recovery code',
  input: z.object({ challenge: z.string().min(1).max(512), code }),
  output: signedIn,
})
