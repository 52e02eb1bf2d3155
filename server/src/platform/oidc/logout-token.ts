import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from 'jose'
import { limitedFetch } from './limited-fetch.ts'
import { OidcError } from './oidc-error.ts'

/** Whose sessions end: all of a person, or those of one session at the provider. */
export interface LogoutNotice {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
}

interface Expected {
  readonly issuer: string
  readonly clientId: string
  readonly jwksUri: string
  /** In seconds. */
  readonly timeout: number
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** The signatures with a public key. A symmetric one would be checked with a key that anybody can read. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** How old a notice may be, in seconds. */
const MAX_AGE = 120

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0). Throws an `OidcError` if the provider didn't send it just now. */
export async function readLogoutToken(token: string, expected: Expected): Promise<LogoutNotice> {
  const { issuer, clientId, jwksUri, timeout } = expected
  try {
    // Before anything is fetched, so that not every text causes a request.
    if (decodeJwt(token).iss !== issuer) throw untrusted()
    const keys = createRemoteJWKSet(new URL(jwksUri), {
      timeoutDuration: timeout * 1000,
      [customFetch]: limitedFetch,
    })
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: MAX_AGE,
      clockTolerance: 60,
    })
    const { sub, sid, events, nonce } = payload
    const isLogout = typeof events === 'object' && events !== null && EVENT in events
    // A nonce belongs to ID tokens, which must not pass for logout tokens.
    if (!isLogout || nonce !== undefined || (sub === undefined && typeof sid !== 'string')) throw untrusted()
    return { issuer, subject: sub, sid: typeof sid === 'string' ? sid : undefined }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) throw untrusted(error)
    throw error
  }
}

function untrusted(cause?: unknown): OidcError {
  return new OidcError('untrusted', 'the logout token is not valid', { cause })
}
