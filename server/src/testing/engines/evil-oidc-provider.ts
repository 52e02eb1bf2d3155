import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { findFreePort } from './ports.ts'

type Json = Record<string, unknown>

/** What the provider does differently from an honest one. */
export interface Tricks {
  discovery?: (document: Json) => Json | string
  /** Changes the claims of the ID token. */
  claims?: (claims: Json) => Json
  /** Makes the ID token from its claims. */
  sign?: (claims: Json, honest: CryptoKey) => Promise<string> | string
  /** Replaces the response of the token endpoint. */
  token?: (honest: Json) => Json
  tokenStatus?: number
  userInfo?: (honest: Json) => Json
  keys?: (honest: JWK[]) => JWK[]
  /** How long each response takes, in milliseconds. */
  delay?: number
}

export interface EvilProvider {
  readonly issuer: string
  /** Plays tricks until the next call. */
  play(tricks: Tricks): void
  /** What an honest ID token says of the person. Its nonce is the code. */
  setClaims(claims: Json): void
  /** The bodies that arrived at the token endpoint. */
  readonly tokenRequests: URLSearchParams[]
  /** Exchanges the signing key for another one, as providers do. */
  rotateKey(): Promise<void>
  /** Signs claims with the provider's key. */
  sign(claims: Json): Promise<string>
  /** Returns a key that the provider doesn't publish. */
  otherKey(): Promise<CryptoKey>
  stop(): Promise<void>
}

/** Starts a provider of which every response can be forged. It has no sign-in page: tests write its redirects themselves. */
export async function startEvilProvider(): Promise<EvilProvider> {
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  let tricks: Tricks = {}
  let claims: Json = {}
  let key = await createKey('first')
  let number = 1
  const tokenRequests: URLSearchParams[] = []

  async function respond(path: string | undefined, body: string): Promise<{ status: number; json: unknown }> {
    if (path === '/.well-known/openid-configuration') {
      const document = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
        response_types_supported: ['code'],
      }
      return { status: 200, json: tricks.discovery?.(document) ?? document }
    }
    if (path === '/jwks') return { status: 200, json: { keys: tricks.keys?.([key.jwk]) ?? [key.jwk] } }
    if (path === '/userinfo') {
      const honest = { sub: claims.sub, email: claims.email, email_verified: claims.email_verified }
      return { status: 200, json: tricks.userInfo?.(honest) ?? honest }
    }
    const form = new URLSearchParams(body)
    tokenRequests.push(form)
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: issuer, aud: 'alcove', iat: now, exp: now + 300, nonce: form.get('code'), ...claims }
    const said = tricks.claims?.(honest) ?? honest
    const idToken = await (tricks.sign?.(said, key.private) ?? signed(said, key.private, `key-${number}`))
    const response = { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 60, id_token: idToken }
    return { status: tricks.tokenStatus ?? 200, json: tricks.token?.(response) ?? response }
  }

  async function createKey(kid: string) {
    const pair = await generateKeyPair('RS256')
    return { private: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' } }
  }
  key.jwk.kid = 'key-1'

  const server = createServer(async (request, response) => {
    const { status, json } = await respond(request.url?.split('?')[0], await text(request))
    if (tricks.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, tricks.delay))
    send(response, status, json)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    issuer,
    tokenRequests,
    play: (next) => {
      tricks = next
    },
    setClaims: (next) => {
      claims = next
    },
    rotateKey: async () => {
      number += 1
      key = await createKey(`key-${number}`)
    },
    sign: (said) => signed(said, key.private, `key-${number}`),
    otherKey: async () => (await generateKeyPair('RS256')).privateKey,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof json === 'string' ? json : JSON.stringify(json))
}

/** Signs claims as an honest provider does. */
export function signed(claims: Json, key: CryptoKey | Uint8Array, kid: string, alg = 'RS256'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key)
}
