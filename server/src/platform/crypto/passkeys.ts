import { isIP } from 'node:net'
import { PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@alcove/contract/webauthn'
import { z } from 'zod'
import { isLoopback } from '../../config.ts'

/** EdDSA, ES256 and RS256: the algorithms that authenticators use. */
const ALGORITHMS = [-8, -7, -257]

/** A passkey after verification of its registration. */
interface MadePasskey {
  credentialId: string
  publicKey: string
  counter: number
  transports: string[]
  isSynced: boolean
}

interface KnownCredential {
  credentialId: string
  transports: string[]
}

/** Returns the options with which a browser creates a passkey that is discoverable and verifies its user. */
export function creationOptions(
  party: RelyingParty,
  {
    challenge,
    userHandle,
    email,
    known,
    siteName,
  }: { challenge: string; userHandle: string; email: string; known: KnownCredential[]; siteName: string },
): PasskeyCreationOptions {
  return {
    rp: { id: party.id, name: siteName },
    user: { id: userHandle, name: email, displayName: email },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: PASSKEY_CHALLENGE_TTL,
    attestation: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

/** Returns the options for signing in with any passkey, or with one of those in `known`. */
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

/** Returns the account's name in the authenticator, which doesn't reveal whose it is. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

/** Loaded with the first passkey: the verification library is large and rarely needed. */
const loadVerifier = () => import('@simplewebauthn/server')

const clientData = z.object({ challenge: z.string(), origin: z.string() })

/** Reads the challenge and the origin from the browser's response. Nothing in it is verified yet. */
export function readClientData(clientDataJSON: string): z.infer<typeof clientData> | undefined {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')))
  } catch {
    return undefined
  }
}

/** Verifies the registration of a passkey. Returns undefined if anything is wrong. */
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
 * Verifies a sign-in by the public key of the passkey that it names. Returns undefined if anything is wrong. The caller must
 * check the counter, in the statement that raises it.
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

/** The party that passkeys are for (WebAuthn): a domain and the origin of its pages. */
export interface RelyingParty {
  id: string
  /** Returns whether a page's origin is ours. */
  isOwnOrigin(origin: string): boolean
}

/** Returns the relying party of the public address, or why there is none. */
export function findRelyingParty(publicUrl: string): RelyingParty | { reason: string } {
  const { hostname, protocol, origin } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0) {
    return { reason: 'Passkeys need a domain name. This site is opened by its IP address.' }
  }
  const isHere = isLoopback(publicUrl)
  if (protocol !== 'https:' && !isHere) return { reason: 'Passkeys need an address that starts with https://.' }
  return { id: hostname, isOwnOrigin: (given) => given === origin || (isHere && isSameHost(given, hostname)) }
}

/** On localhost any port is accepted: in development, web and API have different ports. */
function isSameHost(origin: string, hostname: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin && new URL(origin).hostname === hostname
}
