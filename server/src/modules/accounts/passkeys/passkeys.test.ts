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
  const answer = await of.client.call(addPasskey, { response: made.create(await creationOptions(of)) })
  expect(answer.status).toBe(201)
  return answer.body
}

const signIn = async (deviation: Parameters<Authenticator['get']>[1] = {}, made = authenticator) =>
  app.visitor.call(loginWithPasskey, { response: made.get(await requestOptions(), deviation) })

const list = async (of = user) => (await of.client.call(listPasskeys, {})).body

describe('adding a passkey', () => {
  it('asks the browser for one that is kept with the account, and guarded', async () => {
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

  it('keeps it under the name of the device, and tells the user by mail', async () => {
    const answer = await user.client.raw<Passkey>(
      addPasskey,
      { response: authenticator.create(await creationOptions()) },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' },
    )
    expect(answer.status).toBe(201)
    expect(await list()).toEqual({ available: true, reason: null, passkeys: [answer.body] })
    expect(answer.body).toMatchObject({ name: 'Firefox on Linux', lastUsedAt: null, isSynced: false })
    expect((await readSubjects(app, user.email)).at(-1)).toBe('A passkey was added - Alcove')
  })

  it('says of a synced one that it is', async () => {
    expect(await add(new Authenticator(app.services.config.publicUrl, { isSynced: true }))).toMatchObject({
      isSynced: true,
    })
  })

  it('takes the password', async () => {
    const answer = await user.client.call(getPasskeyOptions, { password: 'Wrong-horse-7' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'wrong_password', error: 'Incorrect password.' } })
  })

  it('works once for a challenge, for the user who asked, and for five minutes', async () => {
    const options = await creationOptions()
    const other = await app.createUser()
    const expired = {
      status: 400,
      body: { code: 'invalid_token', error: 'This took too long. Please try again.' },
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
    ['made at another origin', { origin: 'https://alcove.example.com' }],
    ['made for another domain', { rpId: 'example.com' }],
    ['made without asking who is there', { isVerified: false }],
    ['that is none but a sign-in', { type: 'webauthn.get' }],
  ])('refuses one %s, and uses the challenge up', async (_what, deviation) => {
    const options = await creationOptions()
    const answer = await user.client.call(addPasskey, { response: authenticator.create(options, deviation) })
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'passkey_refused', error: 'This passkey could not be verified.' },
    })
    expect((await user.client.call(addPasskey, { response: authenticator.create(options) })).status).toBe(400)
    expect((await list()).passkeys).toEqual([])
  })

  it('refuses what is no passkey at all', async () => {
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

  it('refuses one that another account has', async () => {
    await add()
    const other = await app.createUser()
    const again = await other.client.call(addPasskey, { response: authenticator.create(await creationOptions(other)) })
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', error: 'This passkey is in use already.' },
    })
    expect((await list(other)).passkeys).toEqual([])
  })

  it('ends at twenty, also when many come at once', async () => {
    const options = await Promise.all(Array.from({ length: MAX_PASSKEYS + 2 }, () => creationOptions()))
    const answers = await Promise.all(
      options.map((each) =>
        user.client.call(addPasskey, { response: new Authenticator(app.services.config.publicUrl).create(each) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_PASSKEYS)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
    const more = await user.client.call(getPasskeyOptions, { password: TEST_PASSWORD })
    expect(more).toMatchObject({ status: 409, body: { error: 'You have 20 passkeys. Remove one to add another.' } })
  })
})

describe('signing in with a passkey', () => {
  beforeEach(async () => {
    await add()
  })

  it('opens the account of whoever has it, and notes when', async () => {
    app.clock.advance(60_000)
    const answer = await signIn()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ token: expect.any(String), planName: 'free', planId: 0, email: user.email })
    const client = new TestClient(app.app, answer.body.token)
    expect((await client.call(listSessions, {})).body.sessions).toHaveLength(2)
    expect((await list()).passkeys[0]?.lastUsedAt).toBe(new Date(app.clock.now()).toISOString())
  })

  it('works once for a challenge, and for five minutes', async () => {
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
    ['at another origin', { origin: 'https://localhost.example.com' }],
    ['for another domain', { rpId: 'example.com' }],
    ['without asking who is there', { isVerified: false }],
    ['as if one were being made', { type: 'webauthn.create' }],
    ['for nobody', { userHandle: null }],
    ['for another user', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
  ])('is refused %s', async (_what, deviation) => {
    expect(await signIn(deviation)).toMatchObject({
      status: 403,
      body: { code: 'passkey_refused', error: 'This passkey could not be verified.' },
    })
  })

  it('is refused for a passkey that nobody has here, or has no more', async () => {
    const refused = { status: 403, body: { error: 'This passkey does not belong to an account here.' } }
    const stranger = new Authenticator(app.services.config.publicUrl)
    stranger.create(await creationOptions())
    expect(await signIn({}, stranger)).toMatchObject(refused)
    const [passkey] = (await list()).passkeys
    await user.client.call(removePasskey, { id: passkey?.id ?? '' })
    expect(await signIn()).toMatchObject(refused)
  })

  it('is refused when another key has signed, or what was signed is changed', async () => {
    const impostor = new Authenticator(app.services.config.publicUrl)
    impostor.create(await creationOptions())
    const good = authenticator.get(await requestOptions())
    const forged = { ...impostor.get(await requestOptions()), id: good.id, rawId: good.rawId }
    expect((await app.visitor.call(loginWithPasskey, { response: forged })).status).toBe(403)
    const changed = { ...good, response: { ...good.response, signature: `AAAA${good.response.signature.slice(4)}` } }
    expect((await app.visitor.call(loginWithPasskey, { response: changed })).status).toBe(403)
  })

  it('is refused when the counter goes back, or comes again: there is a copy', async () => {
    expect((await signIn({ counter: 5 })).status).toBe(200)
    const refused = { status: 403, body: { code: 'passkey_refused', error: expect.stringContaining('may be a copy') } }
    for (const counter of [5, 4, 0]) expect(await signIn({ counter })).toMatchObject(refused)
    const answers = await Promise.all([signIn({ counter: 6 }), signIn({ counter: 6 })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  it('waits for the activation as any sign-in does', async () => {
    await app.services.db.updateTable('users').set({ activated_at: null }).where('id', '=', user.id).execute()
    expect(await signIn()).toMatchObject({
      status: 403,
      body: { code: 'not_activated', error: 'Account not activated.', resendOption: true },
    })
  })

  it('needs no code of two-factor sign-in: it is both factors', async () => {
    await app.services.db
      .insertInto('two_factor')
      .values({ user_id: user.id, secret: 'x', begun_at: 1, enabled_at: 1 })
      .execute()
    const byPassword = await app.visitor.raw<Partial<SignedIn>>(login, { email: user.email, password: TEST_PASSWORD })
    expect(byPassword.body).not.toHaveProperty('token')
    expect((await signIn()).body).toHaveProperty('token')
  })
})

describe('the list of passkeys', () => {
  it('is one user’s: theirs to rename and to remove', async () => {
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

describe('where the address is none for passkeys', () => {
  it.each([
    ['http://127.0.0.1:5100', 'Passkeys need an address with a name; this one is a number.'],
    ['https://[2001:db8::1]', 'Passkeys need an address with a name; this one is a number.'],
    ['http://alcove.example.com', 'Passkeys need an address that starts with https.'],
  ])('%s says why', async (publicUrl, reason) => {
    const there = await createTestApp({ publicUrl })
    try {
      const someone = await there.createUser()
      const unavailable = { available: false, reason }
      expect((await there.visitor.call(getPasskeyLoginOptions, {})).body).toEqual(unavailable)
      expect((await someone.client.call(getPasskeyOptions, { password: TEST_PASSWORD })).body).toEqual(unavailable)
      expect((await someone.client.call(listPasskeys, {})).body).toEqual({ ...unavailable, passkeys: [] })
      const response = new Authenticator(publicUrl).get({
        rpId: 'x',
        challenge: 'x',
        timeout: 1,
        userVerification: 'required',
      })
      expect((await there.visitor.call(loginWithPasskey, { response })).body.error).toBe(reason)
    } finally {
      await there.close()
    }
  })

  it('https with a name does, at that origin alone; on one’s own machine any port does', async () => {
    const there = await createTestApp({ publicUrl: 'https://alcove.example.com' })
    try {
      const someone = await there.createUser()
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
      await there.close()
    }
    const developed = new Authenticator('http://localhost:5173')
    expect((await user.client.call(addPasskey, { response: developed.create(await creationOptions()) })).status).toBe(
      201,
    )
  })
})
