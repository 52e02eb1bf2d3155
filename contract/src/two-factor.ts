import { z } from 'zod'
import { signedIn, ticket } from './accounts.ts'
import { defineCall } from './call.ts'
import { done, ownPassword, time } from './fields.ts'
import { PASSWORD_CALLS } from './rate-limits.ts'

const ENTER_CODE = 'Enter the code.'
/** Six digits from the authenticator app or, where allowed, a recovery code. Blanks and dashes are ignored. */
export const code = z
  .string(ENTER_CODE)
  .max(64, 'This code is incorrect.')
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .refine((text) => text !== '', ENTER_CODE)

const recoveryCodes = z
  .array(z.string())
  .describe('Shown only once. Each replaces a code once; earlier recovery codes stop working')

export const getTwoFactor = defineCall({
  method: 'GET',
  path: '/account/two-factor',
  access: 'user',
  beforeTwoFactor: true,
  summary: 'Get whether two-factor sign-in is on',
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
  beforeTwoFactor: true,
  summary: 'Create a secret for the authenticator app. Two-factor sign-in stays off until it is confirmed with a code',
  input: z.object({ password: ownPassword }),
  output: z.object({
    secret: z.string().describe('Base32, for entering by hand'),
    uri: z.string().describe('`otpauth://…`, for the QR code'),
  }),
  rateLimit: PASSWORD_CALLS,
})

export const enableTwoFactor = defineCall({
  method: 'POST',
  path: '/account/two-factor',
  access: 'user',
  beforeTwoFactor: true,
  recentSignIn: true,
  summary: 'Turn on two-factor sign-in with a code from the new secret',
  input: z.object({ code }),
  output: z.object({ recoveryCodes }),
})

export const disableTwoFactor = defineCall({
  method: 'POST',
  path: '/account/two-factor/disable',
  access: 'user',
  summary: 'Turn off two-factor sign-in. Requires the password and a code or recovery code',
  input: z.object({ password: ownPassword, code }),
  output: done,
  rateLimit: PASSWORD_CALLS,
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/account/two-factor/recovery-codes',
  access: 'user',
  summary: 'Replace all recovery codes. Requires the password and a code or recovery code',
  input: z.object({ password: ownPassword, code }),
  output: z.object({ recoveryCodes }),
  rateLimit: PASSWORD_CALLS,
})

export const loginWithCode = defineCall({
  method: 'POST',
  path: '/login/two-factor',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Finish signing in with the challenge from `/login` and a code or recovery code',
  input: z.object({ challenge: z.string().min(1).max(512), code, ticket }),
  output: signedIn,
  rateLimit: PASSWORD_CALLS,
})
