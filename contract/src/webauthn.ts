import { z } from 'zod'

/**
 * The JSON messages between browsers and servers about passkeys (WebAuthn Level 3, section 5.1), reduced to the
 * fields that Alcove uses. Bytes are base64url.
 */

const base64url = z.string().regex(/^[\w-]*$/)
const bytes = base64url.max(1400)
const transports = z.array(z.string().max(32)).max(16)
const knownCredential = z.object({ id: bytes, type: z.literal('public-key'), transports: transports.optional() })

export const passkeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(knownCredential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptions>

export const passkeyRequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(knownCredential).optional().describe('The accepted passkeys, or any if missing'),
})
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptions>

const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).nullish(),
}
/** The client data as JSON in base64url. */
const clientData = base64url.max(8192)

/** A new passkey. */
export const passkeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: base64url.max(32_768),
    transports: transports.optional(),
  }),
})
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>

/** The proof that the user has a passkey. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: base64url.max(8192),
    signature: bytes,
    userHandle: base64url.max(128).nullish(),
  }),
})
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>
