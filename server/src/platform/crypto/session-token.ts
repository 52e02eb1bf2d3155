import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'

/** The user and session of a token. The database decides whether the session is still valid. */
export interface SessionClaims {
  userId: string
  sessionId: string
}

const ALGORITHM = 'HS256'
const MAX_REMEMBERED = 10_000

/** Signs a token. It has no expiry: use extends a session, so the session's row has its end. */
export function signSessionToken(key: Uint8Array, claims: SessionClaims): Promise<string> {
  return new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(claims.userId)
    .setIssuedAt()
    .sign(key)
}

/** Reads session tokens. A valid signature stays valid, so each token is verified once and then remembered. */
export class SessionTokenReader {
  readonly #key: Uint8Array
  readonly #verified = new Map<string, SessionClaims>()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** Returns the claims of a token that we signed, or undefined. */
  async read(token: string): Promise<SessionClaims | undefined> {
    const known = this.#verified.get(token)
    if (known) return known
    const claims = await this.#verify(token)
    if (!claims) return undefined
    if (this.#verified.size >= MAX_REMEMBERED) this.#verified.clear()
    this.#verified.set(token, claims)
    return claims
  }

  async #verify(token: string): Promise<SessionClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#key, { algorithms: [ALGORITHM] })
      if (typeof payload.sub !== 'string' || typeof payload.sid !== 'string') return undefined
      return { userId: payload.sub, sessionId: payload.sid }
    } catch {
      return undefined
    }
  }
}
