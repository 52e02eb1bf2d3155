import { login, type SignedIn } from '@alcove/contract/accounts'
import { MAX_PASSKEYS, PASSKEY_CHALLENGE_TTL } from '@alcove/contract/limits'
import {
  addPasskey,
  getPasskeyLoginOptions,
  getPasskeyOptions,
  listPasskeys,
  loginWithPasskey,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '@alcove/contract/passkeys'
import { listSessions } from '@alcove/contract/sessions'
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@alcove/contract/webauthn'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Authenticator } from '../../../testing/clients/authenticator.ts'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

let app: TestApp
let user: TestUser
let authenticator: Authenticator

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
  authenticator = new Authenticator(app.services.config.publicUrl)
})

async function creationOptions(of = user): Promise<PasskeyCreationOptions> {
  const { body } = await of.client.call(getPasskeyOptions, { password: TEST_PASSWORD })
  if (!body.available) throw new Error(body.reason)
  return body.options
}

async function requestOptions(): Promise<PasskeyRequestOptions> {
  const { body } = await app.visitor.call(getPasskeyLoginOptions, {})
  if (!body.available) throw new Error(body.reason)
  return body.options
}

async function add(made = authenticator, of = user): Promise<Passkey> {
  const response = await of.client.call(addPasskey, { response: made.create(await creationOptions(of)) })
  expect(response.status).toBe(201)
  return response.body
}

const signIn = async (deviation: Parameters<Authenticator['get']>[1] = {}, made = authenticator) =>
  app.visitor.call(loginWithPasskey, { response: made.get(await requestOptions(), deviation) })

const list = async (of = user) => (await of.client.call(listPasskeys, {})).body

describe('adding a passkey', () => {
  it('requests a discoverable credential with user verification and excludes known passkeys', async () => {
    const options = await creationOptions()
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Alcove' },
      user: { name: user.email, displayName: user.email },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(16)
    await add()
    expect((await creationOptions()).excludeCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key', transports: ['internal'] },
    ])
  })

  it('names a new passkey after the device and notifies the user by mail', async () => {
    const response = await user.client.raw<Passkey>(
      addPasskey,
      { response: authenticator.create(await creationOptions()) },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' },
    )
    expect(response.status).toBe(201)
    expect(await list()).toEqual({ available: true, reason: null, passkeys: [response.body] })
    expect(response.body).toMatchObject({ name: 'Firefox on Linux', lastUsedAt: null, isSynced: false })
    expect((await readSubjects(app, user.email)).at(-1)).toBe('A passkey was added - Alcove')
  })

  it('marks a synced passkey as synced', async () => {
    expect(await add(new Authenticator(app.services.config.publicUrl, { isSynced: true }))).toMatchObject({
      isSynced: true,
    })
  })

  it('rejects a request for passkey options with a wrong password', async () => {
    const response = await user.client.call(getPasskeyOptions, { password: 'Wrong-horse-7' })
    expect(response).toMatchObject({ status: 403, body: { code: 'wrong_password', error: 'Incorrect password.' } })
  })

  it('accepts a creation challenge once, from its user and within five minutes', async () => {
    const options = await creationOptions()
    const other = await app.createUser()
    const expired = {
      status: 400,
      body: { code: 'invalid_token', error: 'This request has expired. Please try again.' },
    }
    expect(await other.client.call(addPasskey, { response: authenticator.create(options) })).toMatchObject(expired)
    const twice = await Promise.all(
      [1, 2].map(() => user.client.call(addPasskey, { response: authenticator.create(options) })),
    )
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 400])
    const late = await creationOptions()
    app.clock.advance(PASSKEY_CHALLENGE_TTL)
    expect(await user.client.call(addPasskey, { response: authenticator.create(late) })).toMatchObject(expired)
    const loginChallenge = (await requestOptions()).challenge
    const mixed = authenticator.create({ ...(await creationOptions()), challenge: loginChallenge })
    expect(await user.client.call(addPasskey, { response: mixed })).toMatchObject(expired)
  })

  it.each([
    ['created at another origin', { origin: 'https://alcove.example.com' }],
    ['created for another domain', { rpId: 'example.com' }],
    ['created without user verification', { isVerified: false }],
    ['with the response type of a sign-in', { type: 'webauthn.get' }],
  ])('rejects a passkey %s and uses up the challenge', async (_what, deviation) => {
    const options = await creationOptions()
    const response = await user.client.call(addPasskey, { response: authenticator.create(options, deviation) })
    expect(response).toMatchObject({
      status: 403,
      body: { code: 'passkey_refused', error: 'This passkey could not be verified.' },
    })
    expect((await user.client.call(addPasskey, { response: authenticator.create(options) })).status).toBe(400)
    expect((await list()).passkeys).toEqual([])
  })

  it('rejects a malformed passkey response', async () => {
    const options = await creationOptions()
    const good = authenticator.create(options)
    for (const clientDataJSON of [
      '',
      'AAAA',
      Buffer.from('[]').toString('base64url'),
      Buffer.from('null').toString('base64url'),
    ]) {
      const response = { ...good, response: { ...good.response, clientDataJSON } }
      expect((await user.client.call(addPasskey, { response })).status).toBe(403)
    }
    const broken = { ...good, response: { ...good.response, attestationObject: 'AAAA' } }
    expect((await user.client.call(addPasskey, { response: broken })).status).toBe(403)
    const idWithNul = { ...good, id: 'a\u0000b', rawId: 'a\u0000b' }
    for (const response of [
      undefined,
      null,
      7,
      {},
      { ...good, type: 'password' },
      { ...good, response: {} },
      idWithNul,
    ]) {
      expect((await user.client.raw(addPasskey, { response })).status).toBe(400)
    }
  })

  it('rejects a passkey that another account has registered', async () => {
    await add()
    const other = await app.createUser()
    const again = await other.client.call(addPasskey, { response: authenticator.create(await creationOptions(other)) })
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', error: 'This passkey is already in use.' },
    })
    expect((await list(other)).passkeys).toEqual([])
  })

  it('limits an account to twenty passkeys under concurrent requests', async () => {
    const options = await Promise.all(Array.from({ length: MAX_PASSKEYS + 2 }, () => creationOptions()))
    const responses = await Promise.all(
      options.map((each) =>
        user.client.call(addPasskey, { response: new Authenticator(app.services.config.publicUrl).create(each) }),
      ),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(MAX_PASSKEYS)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(2)
    const more = await user.client.call(getPasskeyOptions, { password: TEST_PASSWORD })
    expect(more).toMatchObject({ status: 409, body: { error: 'You have 20 passkeys. Remove one to add another.' } })
  })
})

describe('signing in with a passkey', () => {
  beforeEach(async () => {
    await add()
  })

  it('signs in the owner of the passkey and records the time of use', async () => {
    app.clock.advance(60_000)
    const response = await signIn()
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ token: expect.any(String), planName: 'free', planId: 0, email: user.email })
    const client = new TestClient(app.app, response.body.token)
    expect((await client.call(listSessions, {})).body.sessions).toHaveLength(2)
    expect((await list()).passkeys[0]?.lastUsedAt).toBe(new Date(app.clock.now()).toISOString())
  })

  it('accepts a sign-in challenge once and within five minutes', async () => {
    const options = await requestOptions()
    const both = await Promise.all(
      [1, 2].map(() => app.visitor.call(loginWithPasskey, { response: authenticator.get(options) })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    const late = await requestOptions()
    app.clock.advance(PASSKEY_CHALLENGE_TTL)
    const expired = await app.visitor.call(loginWithPasskey, { response: authenticator.get(late) })
    expect(expired).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    const ownChallenge = { ...late, challenge: Buffer.alloc(32, 7).toString('base64url') }
    expect((await app.visitor.call(loginWithPasskey, { response: authenticator.get(ownChallenge) })).status).toBe(400)
  })

  it.each([
    ['from another origin', { origin: 'https://localhost.example.com' }],
    ['for another domain', { rpId: 'example.com' }],
    ['without user verification', { isVerified: false }],
    ['with the response type of a creation', { type: 'webauthn.create' }],
    ['without a user handle', { userHandle: null }],
    ['with the user handle of another user', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
  ])('rejects a passkey response %s', async (_what, deviation) => {
    expect(await signIn(deviation)).toMatchObject({
      status: 403,
      body: { code: 'passkey_refused', error: 'This passkey could not be verified.' },
    })
  })

  it('rejects an unregistered passkey and a removed passkey', async () => {
    const refused = { status: 403, body: { error: 'This passkey does not belong to any account here.' } }
    const stranger = new Authenticator(app.services.config.publicUrl)
    stranger.create(await creationOptions())
    expect(await signIn({}, stranger)).toMatchObject(refused)
    const [passkey] = (await list()).passkeys
    await user.client.call(removePasskey, { id: passkey?.id ?? '' })
    expect(await signIn()).toMatchObject(refused)
  })

  it('rejects a signature by another key and a modified signature', async () => {
    const impostor = new Authenticator(app.services.config.publicUrl)
    impostor.create(await creationOptions())
    const good = authenticator.get(await requestOptions())
    const forged = { ...impostor.get(await requestOptions()), id: good.id, rawId: good.rawId }
    expect((await app.visitor.call(loginWithPasskey, { response: forged })).status).toBe(403)
    const changed = { ...good, response: { ...good.response, signature: `AAAA${good.response.signature.slice(4)}` } }
    expect((await app.visitor.call(loginWithPasskey, { response: changed })).status).toBe(403)
  })

  it('rejects a passkey whose signature counter does not increase', async () => {
    expect((await signIn({ counter: 5 })).status).toBe(200)
    const refused = {
      status: 403,
      body: { code: 'passkey_refused', error: expect.stringContaining('may have been copied') },
    }
    for (const counter of [5, 4, 0]) expect(await signIn({ counter })).toMatchObject(refused)
    const responses = await Promise.all([signIn({ counter: 6 }), signIn({ counter: 6 })])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  it('rejects a passkey sign-in before the account is activated', async () => {
    await app.services.db.updateTable('users').set({ activated_at: null }).where('id', '=', user.id).execute()
    expect(await signIn()).toMatchObject({
      status: 403,
      body: { code: 'not_activated', error: 'Account not activated.', resendOption: true },
    })
  })

  it('signs in with a passkey without a two-factor code', async () => {
    await app.services.db
      .insertInto('two_factor')
      .values({ user_id: user.id, secret: 'x', begun_at: 1, enabled_at: 1 })
      .execute()
    const byPassword = await app.visitor.raw<Partial<SignedIn>>(login, { email: user.email, password: TEST_PASSWORD })
    expect(byPassword.body).not.toHaveProperty('token')
    expect((await signIn()).body).toHaveProperty('token')
  })
})

describe('managing passkeys', () => {
  it('lets only the owner list, rename and remove a passkey', async () => {
    const passkey = await add()
    const other = await app.createUser()
    const notFound = { status: 404, body: { code: 'not_found', error: 'This passkey was not found.' } }
    expect((await list(other)).passkeys).toEqual([])
    expect(await other.client.call(renamePasskey, { id: passkey.id, name: 'Mine' })).toMatchObject(notFound)
    expect(await other.client.call(removePasskey, { id: passkey.id })).toMatchObject(notFound)
    const renamed = await user.client.call(renamePasskey, { id: passkey.id, name: '  My phone ' })
    expect(renamed).toMatchObject({ status: 200, body: { ...passkey, name: 'My phone' } })
    for (const name of ['', '  ', 'x'.repeat(61), 'a\u0000b', 7, null]) {
      expect((await user.client.raw(renamePasskey, { id: passkey.id, name })).status).toBe(400)
    }
    expect((await user.client.call(removePasskey, { id: passkey.id })).body).toEqual({
      message: 'The passkey was removed.',
    })
    expect(await user.client.call(removePasskey, { id: passkey.id })).toMatchObject(notFound)
    expect((await list()).passkeys).toEqual([])
    expect((await readSubjects(app, user.email)).at(-1)).toBe('A passkey was removed - Alcove')
  })
})

describe('the public URL and passkeys', () => {
  it.each([
    ['http://127.0.0.1:5100', 'Passkeys need a domain name. This site is opened by its IP address.'],
    ['https://[2001:db8::1]', 'Passkeys need a domain name. This site is opened by its IP address.'],
    ['http://alcove.example.com', 'Passkeys need an address that starts with https://.'],
  ])('explains why passkeys are unavailable at %s', async (publicUrl, reason) => {
    const otherApp = await createTestApp({ publicUrl })
    try {
      const someone = await otherApp.createUser()
      const unavailable = { available: false, reason }
      expect((await otherApp.visitor.call(getPasskeyLoginOptions, {})).body).toEqual(unavailable)
      expect((await someone.client.call(getPasskeyOptions, { password: TEST_PASSWORD })).body).toEqual(unavailable)
      expect((await someone.client.call(listPasskeys, {})).body).toEqual({ ...unavailable, passkeys: [] })
      const response = new Authenticator(publicUrl).get({
        rpId: 'x',
        challenge: 'x',
        timeout: 1,
        userVerification: 'required',
      })
      expect((await otherApp.visitor.call(loginWithPasskey, { response })).body.error).toBe(reason)
    } finally {
      await otherApp.close()
    }
  })

  it('accepts passkeys over HTTPS only from the exact origin, and on localhost from any port', async () => {
    const otherApp = await createTestApp({ publicUrl: 'https://alcove.example.com' })
    try {
      const someone = await otherApp.createUser()
      const options = async () => {
        const { body } = await someone.client.call(getPasskeyOptions, { password: TEST_PASSWORD })
        if (!body.available) throw new Error(body.reason)
        return body.options
      }
      expect((await options()).rp.id).toBe('alcove.example.com')
      for (const [origin, status] of [
        ['https://alcove.example.com:8443', 403],
        ['https://www.alcove.example.com', 403],
        ['http://alcove.example.com', 403],
        ['https://alcove.example.com', 201],
      ] as const) {
        const made = new Authenticator(origin).create(await options())
        expect((await someone.client.call(addPasskey, { response: made })).status, origin).toBe(status)
      }
    } finally {
      await otherApp.close()
    }
    const devAuthenticator = new Authenticator('http://localhost:5173')
    expect(
      (await user.client.call(addPasskey, { response: devAuthenticator.create(await creationOptions()) })).status,
    ).toBe(201)
  })
})
