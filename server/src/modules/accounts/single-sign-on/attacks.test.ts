import { register } from '@alcove/contract/accounts'
import { SIGN_IN_FLOW_TTL } from '@alcove/contract/limits'
import { listSessions } from '@alcove/contract/sessions'
import {
  finishForAccount,
  finishSignIn,
  startConfirmation,
  startLink,
  startSignIn,
} from '@alcove/contract/single-sign-on'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type EvilProvider,
  signed,
  startEvilProvider,
  type Tricks,
} from '../../../testing/engines/evil-oidc-provider.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { providerAt } from '../../../testing/factories/providers.ts'
import { TEST_PASSWORD } from '../../../testing/factories/users.ts'

let app: TestApp
let evil: EvilProvider
let other: EvilProvider
let people = 0
let person: { sub: string; email: string; email_verified: boolean }

const TIMEOUT = 0.5

beforeAll(async () => {
  evil = await startEvilProvider()
  other = await startEvilProvider()
  app = await createTestApp({
    oidcProviders: [
      providerAt(evil.issuer, { name: 'evil', label: 'Evil' }),
      providerAt(other.issuer, { name: 'other', label: 'Other' }),
    ],
  })
  app.services.oidc.timeout = TIMEOUT
})
afterAll(async () => {
  await app.close()
  await evil.stop()
  await other.stop()
})
beforeEach(() => {
  people += 1
  person = { sub: `person-${people}`, email: `person-${people}@example.com`, email_verified: true }
  evil.play({})
  app.services.oidc.forget()
})

/** A sign-in that has been started, with what the provider learns. */
interface Started {
  secret: string
  state: string
  nonce: string
  url: URL
}

async function start(provider = 'evil'): Promise<Started> {
  const { body } = await app.visitor.call(startSignIn, { provider })
  const url = new URL(body.url)
  const read = (name: string) => url.searchParams.get(name) ?? ''
  return { secret: body.secret, state: read('state'), nonce: read('nonce'), url }
}

const finish = (secret: string, query: Record<string, string>, provider = 'evil') =>
  app.visitor.raw<{ result?: string; error?: string; code?: string }>(finishSignIn, {
    provider,
    query: new URLSearchParams(query).toString(),
    secret,
  })

/** Signs in through the provider while it plays tricks. */
async function signIn(tricks: Tricks = {}, query: Record<string, string> = {}) {
  const { secret, state, nonce } = await start()
  evil.setClaims(person)
  evil.play(tricks)
  return finish(secret, { code: nonce, state, ...query })
}

const countUsers = async () =>
  Number(
    (
      await app.services.db
        .selectFrom('users')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

/** Expects that a sign-in is refused with a sentence, and that it leaves no account. */
async function expectRefusal(attempt: () => Promise<{ status: number; body: unknown }>, status: number, error: string) {
  const before = await countUsers()
  expect(await attempt()).toMatchObject({ status, body: { error } })
  expect(await countUsers()).toBe(before)
}

const now = () => Math.floor(Date.now() / 1000)
const failed = (reason: string) => `Sign-in with Evil failed because ${reason}. Please start again.`
const SIGNATURE = failed('the signature of its ID token is missing or wrong')

it('accepts the honest sign-in from which the attacks differ', async () => {
  expect(await signIn()).toMatchObject({ status: 200, body: { result: 'signed_in', email: person.email } })
})

describe('forged ID tokens', () => {
  const forged: [string, string, Tricks][] = [
    ['another nonce', failed('its ID token belongs to another sign-in'), { claims: (all) => ({ ...all, nonce: 'x' }) }],
    ['no nonce', failed('its ID token belongs to another sign-in'), { claims: ({ nonce: _, ...all }) => all }],
    [
      'another issuer',
      failed('its ID token was issued by somebody else'),
      { claims: (all) => ({ ...all, iss: 'https://accounts.example.com' }) },
    ],
    [
      'another audience',
      failed('its ID token was issued to another application'),
      { claims: (all) => ({ ...all, aud: 'another-client' }) },
    ],
    [
      'a further audience without an authorized party',
      failed('its ID token was issued to another application'),
      { claims: (all) => ({ ...all, aud: ['alcove', 'another-client'] }) },
    ],
    [
      'another authorized party for several audiences',
      failed('its ID token was issued to another application'),
      { claims: (all) => ({ ...all, aud: ['alcove', 'another-client'], azp: 'another-client' }) },
    ],
    [
      'another authorized party',
      failed('its ID token was issued to another application'),
      { claims: (all) => ({ ...all, azp: 'another-client' }) },
    ],
    ['a past expiry', failed('its ID token has expired'), { claims: (all) => ({ ...all, exp: now() - 120 }) }],
    [
      'a future issue date',
      failed('its ID token is from the future'),
      { claims: (all) => ({ ...all, iat: now() + 600 }) },
    ],
    ['a future start', failed('its ID token is from the future'), { claims: (all) => ({ ...all, nbf: now() + 600 }) }],
    ['no subject', failed('its response could not be verified'), { claims: ({ sub: _, ...all }) => all }],
    [
      'the hash of another access token',
      failed('its access token doesn’t belong to the ID token'),
      { claims: (all) => ({ ...all, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }) },
    ],
    [
      'no signature',
      SIGNATURE,
      { sign: async (all, key) => `${(await signed(all, key, 'key-1')).split('.', 2).join('.')}.` },
    ],
    [
      'a changed signature',
      SIGNATURE,
      {
        sign: async (all, key) =>
          (await signed(all, key, 'key-1')).replace(
            /\.(\w)([\w-]*)$/,
            (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
          ),
      },
    ],
    ['the signature of another key', SIGNATURE, { sign: async (all) => signed(all, await evil.otherKey(), 'key-1') }],
    [
      'a key that the provider does not publish',
      failed('its ID token is signed with a key that it doesn’t publish'),
      { sign: async (all) => signed(all, await evil.otherKey(), 'key-of-nobody') },
    ],
    ['the algorithm none', SIGNATURE, { sign: (all) => unsigned(all) }],
    [
      'a signature with the client secret',
      SIGNATURE,
      { sign: (all) => signed(all, Buffer.from('a-secret-of-the-client'.padEnd(32)), 'key-1', 'HS256') },
    ],
    [
      'changed claims after signing',
      SIGNATURE,
      {
        sign: async (all, key) => {
          const [header, , signature] = (await signed(all, key, 'key-1')).split('.')
          return `${header}.${encode({ ...all, sub: 'person-1', email: 'victim@example.com' })}.${signature}`
        },
      },
    ],
  ]

  it.each(forged)('refuses an ID token with %s', async (_what, error, tricks) => {
    await expectRefusal(() => signIn(tricks), 403, error)
  })

  it.each(['none', 'HS256'])('refuses the algorithm %s although the discovery document lists it', async (alg) => {
    evil.play({ discovery: (all) => ({ ...all, id_token_signing_alg_values_supported: ['RS256', alg] }) })
    const sign = (all: Record<string, unknown>) =>
      alg === 'none' ? unsigned(all) : signed(all, Buffer.from('a-secret-of-the-client'.padEnd(32)), 'key-1', 'HS256')
    await expectRefusal(() => signIn({ sign }), 403, SIGNATURE)
  })

  it('refuses a signature with the public key as an HMAC secret', async () => {
    evil.play({ discovery: (all) => ({ ...all, id_token_signing_alg_values_supported: ['RS256', 'HS256'] }) })
    let modulus = ''
    await expectRefusal(
      () =>
        signIn({
          keys: (keys) => {
            modulus = String(keys[0]?.n)
            return keys
          },
          sign: (all) =>
            new SignJWT(all).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(Buffer.from(modulus.padEnd(64))),
        }),
      403,
      SIGNATURE,
    )
  })

  it('reports an encrypted ID token to the administrator only', async () => {
    await expectRefusal(
      () => signIn({ sign: () => 'a.b.c.d.e' }),
      503,
      'Sign-in with Evil failed because its ID token is encrypted. Tell your administrator.',
    )
  })

  it('refuses a response without an ID token', async () => {
    await expectRefusal(
      () => signIn({ token: ({ id_token: _, ...all }) => all }),
      503,
      'Sign-in with Evil failed because it sent no ID token. Tell your administrator.',
    )
  })

  it('accepts a new key at once, and refuses the withdrawn one', async () => {
    expect((await signIn()).status).toBe(200)
    let withdrawn: Parameters<NonNullable<Tricks['sign']>>[1] | undefined
    await signIn({
      sign: (all, key) => {
        withdrawn = key
        return signed(all, key, 'key-1')
      },
    })
    await evil.rotateKey()
    expect((await signIn()).status).toBe(200)
    await expectRefusal(
      () => signIn({ sign: (all) => signed(all, withdrawn as CryptoKey, 'key-1') }),
      403,
      failed('its ID token is signed with a key that it doesn’t publish'),
    )
  })
})

describe('forged responses in the browser', () => {
  const ANOTHER = failed('the response belongs to another sign-in')
  const EXPIRED = 'This sign-in has expired or was already used. Please start again.'

  it('refuses another state, and no state, without ending the sign-in', async () => {
    const { secret, state, nonce } = await start()
    evil.setClaims(person)
    await expectRefusal(() => finish(secret, { code: nonce, state: 'another' }), 403, ANOTHER)
    await expectRefusal(() => finish(secret, { code: nonce }), 403, ANOTHER)
    expect((await finish(secret, { code: nonce, state })).status).toBe(200)
  })

  it('refuses two states', async () => {
    const { secret, state } = await start()
    const input = { provider: 'evil', query: `code=a&state=${state}&state=${state}`, secret }
    await expectRefusal(
      () => app.visitor.raw(finishSignIn, input),
      403,
      failed('the response belongs to another sign-in'),
    )
  })

  it('refuses the response of a sign-in that another browser started', async () => {
    const attacker = await start()
    const victim = await start()
    evil.setClaims(person)
    await expectRefusal(() => finish(victim.secret, { code: 'a-code', state: attacker.state }), 403, ANOTHER)
  })

  it('refuses a secret that the server did not create', async () => {
    const { state } = await start()
    await expectRefusal(() => finish('A'.repeat(43), { code: 'a-code', state }), 403, ANOTHER)
  })

  it('finishes a sign-in once, also if two responses arrive at the same time', async () => {
    const { secret, state, nonce } = await start()
    evil.setClaims(person)
    const responses = await Promise.all([1, 2, 3].map(() => finish(secret, { code: nonce, state })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    await expectRefusal(() => finish(secret, { code: 'a-code', state }), 400, EXPIRED)
  })

  it('refuses a code that the provider has seen before', async () => {
    await expectRefusal(
      () => signIn({ tokenStatus: 400, token: () => ({ error: 'invalid_grant' }) }),
      403,
      failed('it was already used or has expired'),
    )
  })

  it('refuses a sign-in after ten minutes', async () => {
    const { secret, state } = await start()
    evil.setClaims(person)
    app.clock.advance(SIGN_IN_FLOW_TTL)
    await expectRefusal(() => finish(secret, { code: 'a-code', state }), 400, EXPIRED)
  })

  it('refuses the response of another provider, and sends no code anywhere', async () => {
    const { secret, state } = await start('evil')
    const before = evil.tokenRequests.length + other.tokenRequests.length
    await expectRefusal(() => finish(secret, { code: 'a-code', state }, 'other'), 400, EXPIRED)
    expect(evil.tokenRequests.length + other.tokenRequests.length).toBe(before)
  })

  it('refuses another issuer in the response, and sends it no code', async () => {
    const before = evil.tokenRequests.length
    await expectRefusal(
      () => signIn({}, { iss: other.issuer }),
      403,
      failed('the response doesn’t come from this provider'),
    )
    expect(evil.tokenRequests).toHaveLength(before)
  })

  it('refuses a response without the issuer if the provider promises one', async () => {
    evil.play({ discovery: (all) => ({ ...all, authorization_response_iss_parameter_supported: true }) })
    await expectRefusal(() => signIn(), 403, failed('the response doesn’t come from this provider'))
  })

  it('refuses tokens in the address', async () => {
    await expectRefusal(
      () => signIn({}, { id_token: 'a.b.c', token: 'x' }),
      403,
      failed('its response could not be verified'),
    )
  })

  it('shows nothing of an error text that somebody wrote into the address', async () => {
    const { secret, state } = await start()
    const query = { error: 'access_denied', error_description: 'Call 0900-1234 now', state }
    await expectRefusal(() => finish(secret, query), 403, failed('it was cancelled or not allowed there'))
  })

  it('gives every sign-in its own state, nonce and code challenge with SHA-256', async () => {
    const [one, two] = [await start(), await start()]
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.url.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one.url.searchParams.get(name)).not.toBe(two.url.searchParams.get(name))
    }
    expect(one.url.searchParams.get('code_challenge_method')).toBe('S256')
    expect(one.url.searchParams.get('response_type')).toBe('code')
    expect(one.url.href).not.toContain(one.secret)
  })

  it('does not store the secret of a sign-in', async () => {
    const { secret, state, nonce } = await start()
    const kept = JSON.stringify(await app.services.db.selectFrom('oidc_flows').selectAll().execute())
    for (const hidden of [secret, state, nonce]) expect(kept).not.toContain(hidden)
  })
})

describe('people whom nobody knows', () => {
  const UNVERIFIED = failed('it did not confirm your email address')

  it.each([
    ['an unverified address', { email_verified: false }],
    ['an address that may be unverified', { email_verified: undefined }],
    ['no address', { email: undefined }],
    ['text that is no address', { email: 'not an address' }],
    ['an address that is no text', { email: ['a@example.com'] }],
  ])('refuses a person with %s', async (_what, change) => {
    await expectRefusal(
      () => signIn({ claims: (all) => ({ ...all, ...change }), userInfo: () => ({ sub: person.sub }) }),
      403,
      UNVERIFIED,
    )
  })

  it('refuses the user info of another person', async () => {
    await expectRefusal(
      () => signIn({ claims: ({ email: _, ...all }) => all, userInfo: (all) => ({ ...all, sub: 'somebody-else' }) }),
      403,
      failed('its user info is of another person'),
    )
  })

  it('does not take an address as verified because the user info says so of another address', async () => {
    await expectRefusal(
      () =>
        signIn({
          claims: ({ email_verified: _, ...all }) => ({ ...all, email: 'victim@example.com' }),
          userInfo: (all) => ({ ...all, email: 'attacker@example.com', email_verified: true }),
        }),
      403,
      UNVERIFIED,
    )
  })

  it('never signs in to an existing account because of its address', async () => {
    const victim = await app.createUser()
    const before = await victim.client.call(listSessions, {})
    const response = await signIn({ claims: (all) => ({ ...all, email: victim.email }) })
    expect(response).toMatchObject({ status: 200, body: { result: 'link_required', email: victim.email } })
    expect(response.body).not.toHaveProperty('token')
    expect((await victim.client.call(listSessions, {})).body.sessions).toHaveLength(before.body.sessions.length)
  })

  it('takes an account over that a stranger registered with the address, without its password', async () => {
    await app.visitor.call(register, { email: person.email, password: TEST_PASSWORD })
    expect(await signIn()).toMatchObject({ status: 200, body: { result: 'signed_in' } })
    const { password_hash } = await app.services.db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^none /)
  })

  it('creates one account if a person signs in twice at the same time', async () => {
    const flows = [await start(), await start(), await start()]
    evil.setClaims(person)
    const before = await countUsers()
    const responses = await Promise.all(flows.map(({ secret, state, nonce }) => finish(secret, { code: nonce, state })))
    expect(responses.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0)
    for (const { status } of responses) expect([200, 409]).toContain(status)
    expect(await countUsers()).toBe(before + 1)
    expect((await signIn()).body).toMatchObject({ result: 'signed_in' })
  })
})

describe('providers that do not work', () => {
  const started = () => app.visitor.raw(startSignIn, { provider: 'evil' })

  it('responds that a provider is unknown', async () => {
    expect(await app.visitor.raw(startSignIn, { provider: 'nobody' })).toMatchObject({ status: 404 })
  })

  it.each<[string, Tricks, string]>([
    [
      'of another issuer',
      { discovery: (all) => ({ ...all, issuer: 'https://accounts.example.com' }) },
      'its discovery document is of another issuer. Tell your administrator.',
    ],
    [
      'that is too large',
      { discovery: (all) => ({ ...all, filler: 'x'.repeat(300_000) }) },
      'is too large. Try again later.',
    ],
    ['that arrives too slowly', { delay: TIMEOUT * 2000 }, 'it takes too long to respond. Try again later.'],
    [
      'that is not JSON',
      { discovery: () => '<html>' },
      'its response is not the one of an OpenID Connect provider. Try again later.',
    ],
    [
      'without a token endpoint',
      { discovery: ({ token_endpoint: _, ...all }) => all },
      'its discovery document has no token_endpoint. Tell your administrator.',
    ],
    [
      'with an unencrypted endpoint elsewhere',
      { discovery: (all) => ({ ...all, authorization_endpoint: 'http://accounts.example.com/authorize' }) },
      'its authorization_endpoint is not an https:// address',
    ],
    [
      'with an address that runs a script',
      { discovery: (all) => ({ ...all, authorization_endpoint: 'javascript:alert(1)' }) },
      'Sign-in with Evil failed because',
    ],
  ])('refuses a discovery document %s', async (_what, tricks, error) => {
    evil.play(tricks)
    const response = await started()
    expect(response.status).toBe(503)
    expect(response.body.error).toContain(error)
  })

  it('never sends a code to an unencrypted address elsewhere', async () => {
    evil.play({ discovery: (all) => ({ ...all, token_endpoint: 'http://accounts.example.com/token' }) })
    expect((await started()).status).toBe(503)
  })

  it('reports a provider that stops working during a sign-in, and works again with it', async () => {
    const { secret, state } = await start()
    evil.play({ delay: TIMEOUT * 2000 })
    const response = await finish(secret, { code: 'a-code', state })
    expect(response).toMatchObject({
      status: 503,
      body: { error: 'Sign-in with Evil failed because it takes too long to respond. Try again later.' },
    })
    evil.play({})
    expect((await signIn()).status).toBe(200)
  })

  it('reports a wrong client secret to the administrator only', async () => {
    const response = await signIn({ tokenStatus: 401, token: () => ({ error: 'invalid_client' }) })
    expect(response).toMatchObject({
      status: 503,
      body: { error: 'Sign-in with Evil failed because it doesn’t accept this server. Tell your administrator.' },
    })
  })
})

describe('flows of a signed-in user', () => {
  it('does not finish what another user or another session started', async () => {
    const owner = await app.createUser()
    const stranger = await app.createUser()
    const { body } = await owner.client.call(startLink, { provider: 'evil' })
    const url = new URL(body.url)
    const state = url.searchParams.get('state') ?? ''
    evil.setClaims(person)
    const code = url.searchParams.get('nonce') ?? ''
    const input = { provider: 'evil', query: `code=${code}&state=${state}`, secret: body.secret }
    expect((await stranger.client.call(finishForAccount, input)).status).toBe(400)
    expect((await finish(body.secret, { code, state })).status).toBe(400)
    expect((await owner.client.call(finishForAccount, input)).status).toBe(200)
  })

  it('does not confirm a session with an identity of somebody else', async () => {
    const owner = await app.createUser()
    const { body } = await owner.client.call(startConfirmation, { provider: 'evil' })
    const url = new URL(body.url)
    expect(url.searchParams.get('prompt')).toBe('login')
    evil.setClaims(person)
    const query = `code=${url.searchParams.get('nonce')}&state=${url.searchParams.get('state')}`
    const response = await owner.client.call(finishForAccount, { provider: 'evil', query, secret: body.secret })
    expect(response).toMatchObject({
      status: 403,
      body: { error: 'You signed in there as somebody who is not linked to this account.' },
    })
  })
})

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function unsigned(claims: Record<string, unknown>): string {
  return `${encode({ alg: 'none' })}.${encode(claims)}.`
}
