import { PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@alcove/contract/webauthn'
import { z } from 'zod'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ES256 and RS256: what there are authenticators for. */
const ALGORITHMS = [-8, -7, -257]

/** A passkey that was proven to be new and its user's. */
export interface MadePasskey {
  credentialId: string
  publicKey: string
  counter: number
  transports: string[]
  isSynced: boolean
}

export interface KnownCredential {
  credentialId: string
  transports: string[]
}

/** What a browser needs to make a passkey that the authenticator keeps with the account, and guards. */
export function creationOptions(
  party: RelyingParty,
  {
    challenge,
    userHandle,
    email,
    known,
  }: { challenge: string; userHandle: string; email: string; known: KnownCredential[] },
): PasskeyCreationOptions {
  return {
    rp: { id: party.id, name: 'Alcove' },
    user: { id: userHandle, name: email, displayName: email },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: PASSKEY_CHALLENGE_TTL,
    attestation: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

/** What a browser needs to sign in with whichever passkey the user chooses, or with one of those that are `known`. */
export function requestOptions(
  party: RelyingParty,
  challenge: string,
  known?: readonly KnownCredential[],
): PasskeyRequestOptions {
  return {
    rpId: party.id,
    challenge,
    timeout: PASSKEY_CHALLENGE_TTL,
    userVerification: 'required',
    ...(known && { allowCredentials: known.map(toDescriptor) }),
  }
}

function toDescriptor({ credentialId, transports }: KnownCredential) {
  return { id: credentialId, type: 'public-key' as const, transports }
}

/** What the account is called in the authenticator: nothing that tells whose it is. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

/** What verifies is large, and few ever need it: it is loaded when the first passkey comes. */
const loadVerifier = () => import('@simplewebauthn/server')

const clientData = z.object({ challenge: z.string(), origin: z.string() })

/** The challenge and the origin that the browser says it answered at; nothing of it is proven yet. */
export function readClientData(clientDataJSON: string): z.infer<typeof clientData> | undefined {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')))
  } catch {
    return undefined
  }
}

/** Holds what the browser made against what it was asked for; undefined where it is not right in every point. */
export async function verifyNewPasskey(
  party: RelyingParty,
  response: PasskeyAttestation,
): Promise<MadePasskey | undefined> {
  const requested = readClientData(response.response.clientDataJSON)
  if (!requested || !party.isOwnOrigin(requested.origin)) return undefined
  const { verifyRegistrationResponse } = await loadVerifier()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, authenticatorAttachment: undefined, clientExtensionResults: {} },
      expectedChallenge: requested.challenge,
      expectedOrigin: requested.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: response.response.transports ?? [],
      isSynced: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/**
 * Holds a proof against the public key of the passkey that it names; undefined where it is not right in every point. How
 * far the counter has come is for the caller to judge, in the statement that moves it on.
 */
export async function verifyPasskey(
  party: RelyingParty,
  response: PasskeyAssertion,
  publicKey: string,
): Promise<{ counter: number; isSynced: boolean } | undefined> {
  const requested = readClientData(response.response.clientDataJSON)
  if (!requested || !party.isOwnOrigin(requested.origin)) return undefined
  const { userHandle, ...proof } = response.response
  const { verifyAuthenticationResponse } = await loadVerifier()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, authenticatorAttachment: undefined, clientExtensionResults: {}, response: proof },
      expectedChallenge: requested.challenge,
      expectedOrigin: requested.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: response.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}
