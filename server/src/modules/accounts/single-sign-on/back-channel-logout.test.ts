import { getAccountStatus } from '@alcove/contract/accounts'
import { finishSignIn, startSignIn } from '@alcove/contract/single-sign-on'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { type EvilProvider, signed, startEvilProvider } from '../../../testing/engines/evil-oidc-provider.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { providerAt } from '../../../testing/factories/providers.ts'

let app: TestApp
let provider: EvilProvider
let people = 0
let subject: string

beforeAll(async () => {
  provider = await startEvilProvider()
  app = await createTestApp({ oidcProviders: [providerAt(provider.issuer)] })
})
afterAll(async () => {
  await app.close()
  await provider.stop()
})
beforeEach(() => {
  people += 1
  subject = `person-${people}`
})

/** Signs the person in, in a session of the provider. */
async function signIn(sid: string): Promise<TestClient> {
  provider.setClaims({ sub: subject, email: `${subject}@example.com`, email_verified: true, sid })
  const { body } = await app.visitor.call(startSignIn, { provider: 'keycloak' })
  const url = new URL(body.url)
  const query = `code=${url.searchParams.get('nonce')}&state=${url.searchParams.get('state')}`
  const finished = await app.visitor.call(finishSignIn, { provider: 'keycloak', query, secret: body.secret })
  if (finished.body.result !== 'signed_in') throw new Error(`not signed in: ${finished.body.result}`)
  return new TestClient(app.app, finished.body.token)
}

const isSignedIn = async (client: TestClient) => (await client.call(getAccountStatus, {})).status === 200

const now = () => Math.floor(Date.now() / 1000)
const notice = (details: Record<string, unknown> = {}) => ({
  iss: provider.issuer,
  aud: 'alcove',
  iat: now(),
  exp: now() + 60,
  jti: crypto.randomUUID(),
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  sub: subject,
  ...details,
})

const send = (token: string, name = 'keycloak') =>
  app.visitor.request({
    method: 'POST',
    url: `/api/sign-in/back-channel/${name}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  })

describe('a notice of the provider that somebody has signed out there', () => {
  it('ends all sessions of the person that began there', async () => {
    const sessions = [await signIn('one'), await signIn('two')]
    const response = await send(await provider.sign(notice()))
    expect(response.status).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(await Promise.all(sessions.map(isSignedIn))).toEqual([false, false])
  })

  it('ends only the sessions of one session at the provider', async () => {
    const [one, two] = [await signIn('one'), await signIn('two')]
    expect((await send(await provider.sign(notice({ sid: 'one', sub: undefined })))).status).toBe(200)
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, true])
  })

  it('ends no sessions of others', async () => {
    const mine = await signIn('mine')
    expect((await send(await provider.sign(notice({ sub: 'somebody-else' })))).status).toBe(200)
    expect(await isSignedIn(mine)).toBe(true)
  })

  it.each<[string, () => Promise<string> | string]>([
    ['without a token', () => ''],
    ['that is no token', () => 'x.y.z'],
    ['with another key', async () => signed(notice(), await provider.otherKey(), 'key-1')],
    ['of another issuer', () => provider.sign(notice({ iss: 'https://id.example' }))],
    ['for another application', () => provider.sign(notice({ aud: 'another' }))],
    ['with a nonce, like an ID token', () => provider.sign(notice({ nonce: 'x' }))],
    ['without the event', () => provider.sign(notice({ events: {} }))],
    ['without an id', () => provider.sign(notice({ jti: undefined }))],
    ['of nobody', () => provider.sign(notice({ sub: undefined }))],
    ['that is old', () => provider.sign(notice({ iat: now() - 600, exp: now() + 600 }))],
    ['that has expired', () => provider.sign(notice({ exp: now() - 120 }))],
    [
      'signed with the client secret',
      () => signed(notice(), Buffer.from('a-secret-of-the-client'.padEnd(32)), 'key-1', 'HS256'),
    ],
    [
      'without a signature',
      () =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(notice())).toString('base64url')}.`,
    ],
  ])('is refused %s', async (_what, create) => {
    const client = await signIn('one')
    expect(await send(await create())).toMatchObject({
      status: 400,
      body: { error: 'This logout token is not valid.' },
    })
    expect(await isSignedIn(client)).toBe(true)
  })

  it('is refused from a provider that is not configured', async () => {
    expect((await send(await provider.sign(notice()), 'unknown')).status).toBe(404)
  })
})
