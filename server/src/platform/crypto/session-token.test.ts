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

function sign(alg: string, key: Parameters<SignJWT['sign']>[0], said: JWTPayload = payload): Promise<string> {
  return new SignJWT(said).setProtectedHeader({ alg }).sign(key)
}

it('a token that we signed is read, again and again', async () => {
  const reader = new SessionTokenReader(secrets.sessionKey)
  const token = await signSessionToken(secrets.sessionKey, claims)
  expect(await reader.read(token)).toEqual(claims)
  expect(await reader.read(token)).toEqual(claims)
})

it('no other algorithm counts, not even with the right key', async () => {
  expect(await read(await sign('HS256', secrets.sessionKey))).toEqual(claims)
  const long = new Uint8Array(64).fill(7)
  for (const alg of ['HS384', 'HS512']) expect(await read(await sign(alg, long), long), alg).toBeUndefined()
  expect(await read(await sign('HS256', long), long)).toEqual(claims)
})

it('a token without a signature, or signed by a key that it brings along, counts for nothing', async () => {
  for (const alg of ['none', 'None', 'NONE', '', 'HS256']) {
    expect(await read(`${encode({ alg })}.${encode(payload)}.`), alg).toBeUndefined()
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const own = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', jwk: jwk as never }).sign(privateKey)
  expect(await read(own)).toBeUndefined()
  // The public key taken for the secret of an HMAC: what a reader falls for that lets the token choose.
  const pem = new TextEncoder().encode(publicKey.export({ format: 'pem', type: 'spki' }).toString())
  expect(await read(await sign('HS256', pem))).toBeUndefined()
})

it('what another of our keys has signed is no session', async () => {
  const { sessionKey, ...others } = secrets
  for (const [name, key] of Object.entries(others)) {
    const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key
    expect(await read(await sign('HS256', bytes)), name).toBeUndefined()
  }
  expect(await read(await sign('HS256', sessionKey))).toEqual(claims)
})

it('a token that names no user or no session, or asks to be read in a way of its own, is none', async () => {
  const odd = [{ sub: 'user' }, { sid: 'session' }, { sub: 1, sid: 2 }, { sub: ['user'], sid: 'session' }] as object[]
  for (const said of odd)
    expect(await read(await sign('HS256', secrets.sessionKey, said as JWTPayload))).toBeUndefined()
  const [, body, signature] = (await sign('HS256', secrets.sessionKey)).split('.')
  for (const header of [{ alg: 'HS256', crit: ['exp'] }, { alg: 'HS256', b64: false, crit: ['b64'] }, { typ: 'JWT' }]) {
    expect(await read(`${encode(header)}.${body}.${signature}`)).toBeUndefined()
  }
  expect(await read(await sign('HS256', secrets.sessionKey, { ...payload, exp: 1 }))).toBeUndefined()
})
