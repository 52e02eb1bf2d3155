import { z } from 'zod'
import { signedIn, ticket } from './accounts.ts'
import { defineCall } from './call.ts'
import { done, id, ownPassword, time } from './fields.ts'
import { MAX_PASSKEY_NAME } from './limits.ts'
import { MINUTE, PASSWORD_CALLS } from './rate-limits.ts'
import { passkeyAssertion, passkeyAttestation, passkeyCreationOptions, passkeyRequestOptions } from './webauthn.ts'

const NAME_EMPTY = 'The name cannot be empty.'
const passkeyName = z
  .string(NAME_EMPTY)
  .trim()
  .min(1, NAME_EMPTY)
  .max(MAX_PASSKEY_NAME, `The name can have at most ${MAX_PASSKEY_NAME} characters.`)
  .regex(/^\P{Cc}*$/u, 'The name has a character that cannot be shown.')

const passkey = z.object({
  id: id.describe("The server's id, not the credential id"),
  name: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  isSynced: z.boolean().describe('Synchronized by a password manager'),
})
export type Passkey = z.infer<typeof passkey>

/** Browsers don't support passkeys for IP addresses and insecure origins. */
export const unavailable = z.object({ available: z.literal(false), reason: z.string() })

export const listPasskeys = defineCall({
  method: 'GET',
  path: '/account/passkeys',
  access: 'user',
  summary: "List the account's passkeys, oldest first",
  input: z.object({}),
  output: z.object({
    available: z.boolean(),
    reason: z.string().nullable().describe("Why passkeys aren't available at this address"),
    passkeys: z.array(passkey),
  }),
})

export const getPasskeyOptions = defineCall({
  method: 'POST',
  path: '/account/passkeys/options',
  access: 'user',
  summary: 'Get the options for creating a passkey (`PublicKeyCredential.parseCreationOptionsFromJSON`)',
  input: z.object({ password: ownPassword }),
  output: z.discriminatedUnion('available', [
    z.object({ available: z.literal(true), options: passkeyCreationOptions }),
    unavailable,
  ]),
  rateLimit: PASSWORD_CALLS,
})

export const addPasskey = defineCall({
  method: 'POST',
  path: '/account/passkeys',
  access: 'user',
  recentSignIn: true,
  summary: 'Add the passkey that the browser created (`credential.toJSON()`)',
  input: z.object({
    name: passkeyName.optional().describe('Defaults to the name of the device'),
    response: passkeyAttestation,
  }),
  output: passkey,
  status: 201,
})

export const renamePasskey = defineCall({
  method: 'PUT',
  path: '/account/passkey/{id}',
  access: 'user',
  summary: 'Rename a passkey',
  input: z.object({ id, name: passkeyName }),
  output: passkey,
})

export const removePasskey = defineCall({
  method: 'DELETE',
  path: '/account/passkey/{id}',
  access: 'user',
  recentSignIn: true,
  summary: 'Remove a passkey',
  input: z.object({ id }),
  output: done,
})

export const getPasskeyLoginOptions = defineCall({
  method: 'POST',
  path: '/login/passkey/options',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Get the options for signing in with a passkey (`PublicKeyCredential.parseRequestOptionsFromJSON`)',
  input: z.object({}),
  output: z.discriminatedUnion('available', [
    z.object({ available: z.literal(true), options: passkeyRequestOptions }),
    unavailable,
  ]),
  rateLimit: { points: 300, seconds: 15 * MINUTE },
})

export const loginWithPasskey = defineCall({
  method: 'POST',
  path: '/login/passkey',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Sign in with a passkey (`credential.toJSON()`). It counts as both factors',
  input: z.object({ response: passkeyAssertion, ticket }),
  output: signedIn,
  rateLimit: PASSWORD_CALLS,
})
