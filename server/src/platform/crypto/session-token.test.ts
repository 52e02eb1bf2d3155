import { generateKeyPairSync } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { deriveSecrets } from './secrets.ts'
import { SessionTokenReader, signSessionToken } from './session-token.ts'

const secrets = deriveSecrets('a secret for tests')
const claims = { userId: 'user', sessionId: 'session' }
const payload = { sub: claims.userId, sid: claims.sessionId }
const read = (token: string, key = secrets.sessionKey) => new SessionTokenReader(key).read(token)
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

function sign(alg: string, key: Parameters<SignJWT['sign']>[0], content: JWTPayload = payload): Promise<string> {
  return new SignJWT(content).setProtectedHeader({ alg }).sign(key)
}

it('reads a token that it has signed, any number of times', async () => {
  const reader = new SessionTokenReader(secrets.sessionKey)
  const token = await signSessionToken(secrets.sessionKey, claims)
  expect(await reader.read(token)).toEqual(claims)
  expect(await reader.read(token)).toEqual(claims)
})

it('rejects other algorithms, even with the right key', async () => {
  expect(await read(await sign('HS256', secrets.sessionKey))).toEqual(claims)
  const long = new Uint8Array(64).fill(7)
  for (const alg of ['HS384', 'HS512']) expect(await read(await sign(alg, long), long), alg).toBeUndefined()
  expect(await read(await sign('HS256', long), long)).toEqual(claims)
})

it('rejects tokens without a signature or signed with a key that they contain', async () => {
  for (const alg of ['none', 'None', 'NONE', '', 'HS256']) {
    expect(await read(`${encode({ alg })}.${encode(payload)}.`), alg).toBeUndefined()
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const own = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', jwk: jwk as never }).sign(privateKey)
  expect(await read(own)).toBeUndefined()
  // Signed with the public key as an HMAC secret, which a reader accepts if it lets the token choose the algorithm.
  const pem = new TextEncoder().encode(publicKey.export({ format: 'pem', type: 'spki' }).toString())
  expect(await read(await sign('HS256', pem))).toBeUndefined()
})

it('rejects tokens signed with a key for another purpose', async () => {
  const { sessionKey, ...others } = secrets
  for (const [name, key] of Object.entries(others)) {
    const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key
    expect(await read(await sign('HS256', bytes)), name).toBeUndefined()
  }
  expect(await read(await sign('HS256', sessionKey))).toEqual(claims)
})

it('rejects tokens without user or session, with an expiry or with critical headers', async () => {
  const odd = [{ sub: 'user' }, { sid: 'session' }, { sub: 1, sid: 2 }, { sub: ['user'], sid: 'session' }] as object[]
  for (const content of odd)
    expect(await read(await sign('HS256', secrets.sessionKey, content as JWTPayload))).toBeUndefined()
  const [, body, signature] = (await sign('HS256', secrets.sessionKey)).split('.')
  for (const header of [{ alg: 'HS256', crit: ['exp'] }, { alg: 'HS256', b64: false, crit: ['b64'] }, { typ: 'JWT' }]) {
    expect(await read(`${encode(header)}.${body}.${signature}`)).toBeUndefined()
  }
  expect(await read(await sign('HS256', secrets.sessionKey, { ...payload, exp: 1 }))).toBeUndefined()
})
