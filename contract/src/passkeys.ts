import { z } from 'zod'
import { signedIn } from './accounts.ts'
import { defineCall } from './call.ts'
import { currentPassword, done, id, time } from './fields.ts'
import { MAX_PASSKEY_NAME } from './limits.ts'
import { passkeyAssertion, passkeyAttestation, passkeyCreationOptions, passkeyRequestOptions } from './webauthn.ts'

const NAME_EMPTY = 'The name cannot be empty.'
const passkeyName = z
  .string(NAME_EMPTY)
  .trim()
  .min(1, NAME_EMPTY)
  .max(MAX_PASSKEY_NAME, `The name can have at most ${MAX_PASSKEY_NAME} characters.`)
  .regex(/^\P{Cc}*$/u, 'The name has a character that cannot be shown.')

const passkey = z.object({
  id: id.describe('Ours, not the one that the browser knows'),
  name: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  isSynced: z.boolean().describe('Kept by a password manager that has it on several devices'),
})
export type Passkey = z.infer<typeof passkey>

/** Browsers know no passkeys for addresses that are numbers, or that are not secure. */
export const unavailable = z.object({ available: z.literal(false), reason: z.string() })

export const listPasskeys = defineCall({
  method: 'GET',
  path: '/account/passkeys',
  access: 'user',
  summary: "The account's passkeys, the oldest first",
  input: z.object({}),
  output: z.object({
    available: z.boolean(),
    reason: z.string().nullable().describe('Why there can be none at this address'),
    passkeys: z.array(passkey),
  }),
})

export const getPasskeyOptions = defineCall({
  method: 'POST',
  path: '/account/passkeys/options',
  access: 'user',
  summary: 'What a browser needs to make a passkey (`PublicKeyCredential.parseCreationOptionsFromJSON`)',
  input: z.object({ password: currentPassword }),
  output: z.discriminatedUnion('available', [
    z.object({ available: z.literal(true), options: passkeyCreationOptions }),
    unavailable,
  ]),
})

export const addPasskey = defineCall({
  method: 'POST',
  path: '/account/passkeys',
  access: 'user',
  recentSignIn: true,
  summary: 'Keep the passkey that the browser has made (`credential.toJSON()`)',
  input: z.object({ name: passkeyName.optional().describe('Else that of the device'), response: passkeyAttestation }),
  output: passkey,
  status: 201,
})

export const renamePasskey = defineCall({
  method: 'PUT',
  path: '/account/passkey/{id}',
  access: 'user',
  summary: 'Give a passkey another name',
  input: z.object({ id, name: passkeyName }),
  output: passkey,
})

export const removePasskey = defineCall({
  method: 'DELETE',
  path: '/account/passkey/{id}',
  access: 'user',
  recentSignIn: true,
  summary: 'Forget a passkey: it no longer signs in',
  input: z.object({ id }),
  output: done,
})

export const getPasskeyLoginOptions = defineCall({
  method: 'POST',
  path: '/login/passkey/options',
  access: 'public',
  summary: 'What a browser needs to sign in with a passkey (`PublicKeyCredential.parseRequestOptionsFromJSON`)',
  input: z.object({}),
  output: z.discriminatedUnion('available', [
    z.object({ available: z.literal(true), options: passkeyRequestOptions }),
    unavailable,
  ]),
})

export const loginWithPasskey = defineCall({
  method: 'POST',
  path: '/login/passkey',
  access: 'public',
  summary: 'Sign in with a passkey (`credential.toJSON()`); it is both factors at once',
  input: z.object({ response: passkeyAssertion }),
  output: signedIn,
})
