import { z } from 'zod'
import { defineCall } from './call.ts'
import { currentPassword, done } from './fields.ts'
import { unavailable } from './passkeys.ts'
import { MINUTE, PASSWORD_CALLS } from './rate-limits.ts'
import { code } from './two-factor.ts'
import { passkeyAssertion, passkeyRequestOptions } from './webauthn.ts'

/** Confirms that the person at a signed-in screen is its user, before calls that need a recent sign-in. */

export const reauthenticate = defineCall({
  method: 'POST',
  path: '/reauthenticate',
  access: 'user',
  beforeTwoFactor: true,
  summary: 'Confirm this session with the password and, if two-factor sign-in is on, a code or recovery code',
  input: z.object({ password: currentPassword, code: code.optional() }),
  output: done,
  rateLimit: PASSWORD_CALLS,
})

export const getReauthenticationOptions = defineCall({
  method: 'POST',
  path: '/reauthenticate/passkey/options',
  access: 'user',
  beforeTwoFactor: true,
  summary: 'Get the options for confirming this session with a passkey',
  input: z.object({}),
  output: z.discriminatedUnion('available', [
    z.object({ available: z.literal(true), options: passkeyRequestOptions }),
    unavailable,
  ]),
  rateLimit: { points: 300, seconds: 15 * MINUTE },
})

export const reauthenticateWithPasskey = defineCall({
  method: 'POST',
  path: '/reauthenticate/passkey',
  access: 'user',
  beforeTwoFactor: true,
  summary: 'Confirm this session with a passkey (`credential.toJSON()`). It counts as both factors',
  input: z.object({ response: passkeyAssertion }),
  output: done,
  rateLimit: PASSWORD_CALLS,
})
