import { z } from 'zod'
import { defineCall } from './call.ts'
import { currentPassword, done } from './fields.ts'
import { unavailable } from './passkeys.ts'
import { code } from './two-factor.ts'
import { passkeyAssertion, passkeyRequestOptions } from './webauthn.ts'

/** Confirms that the person at a signed-in screen is its user, before calls that need a recent sign-in. */

export const reauthenticate = defineCall({
  method: 'POST',
  path: '/reauthenticate',
  access: 'user',
  summary: 'Confirm this session with the password; if two-factor sign-in is on, with a code or recovery code too',
  input: z.object({ password: currentPassword, code: code.optional() }),
  output: done,
})

export const getReauthenticationOptions = defineCall({
  method: 'POST',
  path: '/reauthenticate/passkey/options',
  access: 'user',
  summary: 'What a browser needs to confirm this session with a passkey of the account',
  input: z.object({}),
  output: z.discriminatedUnion('available', [
    z.object({ available: z.literal(true), options: passkeyRequestOptions }),
    unavailable,
  ]),
})

export const reauthenticateWithPasskey = defineCall({
  method: 'POST',
  path: '/reauthenticate/passkey',
  access: 'user',
  summary: 'Confirm this session with a passkey (`credential.toJSON()`); it is both factors at once',
  input: z.object({ response: passkeyAssertion }),
  output: done,
})
