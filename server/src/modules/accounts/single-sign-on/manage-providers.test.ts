import { login } from '@alcove/contract/accounts'
import { runChecks } from '@alcove/contract/admin-checks'
import {
  changeSignInSettings,
  getSignInSettings,
  removeProvider,
  saveProvider,
  testProvider,
} from '@alcove/contract/admin-sign-in'
import { listAuditLog } from '@alcove/contract/audit'
import { finishSignIn, getSignInOptions, startSignIn } from '@alcove/contract/single-sign-on'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OIDC_CLIENT, type OidcEngine, startOidcProvider } from '../../../testing/engines/oidc-engine.ts'
import { createTestApp, openTestServer, type TestApp } from '../../../testing/engines/test-app.ts'
import { providerAt } from '../../../testing/factories/providers.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

let provider: OidcEngine
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  provider = await startOidcProvider('http://localhost:5100')
})
afterAll(() => provider.stop())
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.createUser({ isAdmin: true })
})
afterEach(() => app.close())

const described = (details: Record<string, unknown> = {}) => ({
  name: 'keycloak',
  label: 'Keycloak',
  issuer: provider.issuer,
  clientId: OIDC_CLIENT.id,
  clientSecret: OIDC_CLIENT.secret,
  newAccounts: 'everyone' as const,
  ...details,
})

async function signIn(name: string, of: Pick<TestApp, 'visitor'> = app) {
  const { body } = await of.visitor.call(startSignIn, { provider: 'keycloak' })
  const { search } = await provider.visit(body.url, name)
  return of.visitor.call(finishSignIn, { provider: 'keycloak', query: search.slice(1), secret: body.secret })
}

describe('providers that an administrator adds', () => {
  it('sign people in at once, and keep their secret when their settings change', async () => {
    const { body } = await admin.client.call(saveProvider, described())
    expect(body.providers).toMatchObject([
      {
        name: 'keycloak',
        source: 'administration',
        hasSecret: true,
        redirectUri: 'http://localhost:5100/sign-in/callback/keycloak',
      },
    ])
    provider.setPerson('ada', { email: 'ada@example.com', email_verified: true })
    expect((await signIn('ada')).body).toMatchObject({ result: 'signed_in' })
    await admin.client.call(saveProvider, described({ label: 'Our family', clientSecret: undefined }))
    expect((await signIn('ada')).body).toMatchObject({ result: 'signed_in' })
    expect((await app.visitor.call(getSignInOptions, {})).body.providers).toEqual([
      { name: 'keycloak', label: 'Our family' },
    ])
  })

  it('never reveal their secret, which is stored encrypted', async () => {
    const responses = [
      await admin.client.call(saveProvider, described()),
      await admin.client.call(getSignInSettings, {}),
      await admin.client.call(listAuditLog, {}),
    ]
    const stored = await app.services.db.selectFrom('site_settings').selectAll().execute()
    expect(JSON.stringify([responses.map(({ body }) => body), stored])).not.toContain(OIDC_CLIENT.secret)
  })

  it('can’t be used with a secret of another server, which the test says', async () => {
    await admin.client.call(saveProvider, described())
    const other = await openTestServer({ ...app.services.config, secret: 'x'.repeat(32) }, app.clock)
    try {
      const root = await other.createUser({ isAdmin: true })
      expect((await root.client.call(testProvider, { name: 'keycloak' })).body).toMatchObject({ isWorking: false })
    } finally {
      await other.stop()
    }
  })

  it.each([
    [
      { issuer: 'http://id.example' },
      'The issuer must be the https:// address of the issuer, exactly as the provider shows it.',
    ],
    [{ clientId: '' }, 'The client ID must not be empty.'],
    [{ scopes: 'email' }, 'The scopes must contain openid.'],
    [{ domains: ['no domain'] }, 'The domains must be a list of domains, like example.com.'],
    [{ newAccounts: 'all' }, 'New accounts must be everyone, invited or nobody.'],
  ])('are refused with %j', async (wrong, error) => {
    expect(await admin.client.raw(saveProvider, described(wrong))).toMatchObject({ status: 400, body: { error } })
  })

  it('are removed, and lead nowhere then', async () => {
    await admin.client.call(saveProvider, described())
    await admin.client.call(changeSignInSettings, { straightTo: 'keycloak' })
    expect((await app.visitor.call(getSignInOptions, {})).body.straightTo).toBe('keycloak')
    expect((await admin.client.call(removeProvider, { name: 'keycloak' })).status).toBe(200)
    expect((await admin.client.call(removeProvider, { name: 'keycloak' })).status).toBe(404)
    expect((await app.visitor.call(getSignInOptions, {})).body).toEqual({
      providers: [],
      hasPasswords: true,
      straightTo: null,
    })
    expect((await app.visitor.call(startSignIn, { provider: 'keycloak' })).status).toBe(404)
  })

  it('are added by several administrators at the same time', async () => {
    const names = ['one', 'two', 'three', 'four']
    await Promise.all(names.map((name) => admin.client.call(saveProvider, described({ name }))))
    const { body } = await admin.client.call(changeSignInSettings, { order: ['four', 'two'] })
    expect(body.providers.map(({ name }) => name).slice(0, 2)).toEqual(['four', 'two'])
    expect(body.providers.map(({ name }) => name).sort()).toEqual(names.toSorted())
  })
})

describe('passwords', () => {
  it('are switched off for all but administrators, and only if there is a provider', async () => {
    const user = await app.createUser()
    expect(await admin.client.call(changeSignInSettings, { hasPasswords: false })).toMatchObject({
      status: 409,
      body: { error: 'Add a sign-in provider before you switch passwords off.' },
    })
    await admin.client.call(saveProvider, described())
    await admin.client.call(changeSignInSettings, { hasPasswords: false })
    const signInAs = ({ email }: TestUser) => app.visitor.call(login, { email, password: TEST_PASSWORD })
    expect((await signInAs(user)).status).toBe(403)
    expect((await signInAs(admin)).status).toBe(200)
    await admin.client.call(removeProvider, { name: 'keycloak' })
    expect((await signInAs(user)).status).toBe(200)
  })
})

describe('the test of a provider', () => {
  const test = async () => (await admin.client.call(testProvider, { name: 'keycloak' })).body

  it('passes if the provider accepts this server', async () => {
    await admin.client.call(saveProvider, described())
    expect(await test()).toEqual({
      isWorking: true,
      message: 'Keycloak can be reached and accepts this server.',
      fix: null,
    })
    const { checks } = (await admin.client.call(runChecks, {})).body
    expect(checks.find(({ id }) => id === 'sign-in')).toMatchObject({ state: 'ok' })
  })

  it('says which settings are wrong', async () => {
    await admin.client.call(saveProvider, described({ clientSecret: 'wrong' }))
    expect(await test()).toEqual({
      isWorking: false,
      message: 'Keycloak can’t be used, because it doesn’t accept this server.',
      fix: 'Check the client ID and the client secret.',
    })
    await admin.client.call(saveProvider, described({ issuer: `${provider.issuer}/other` }))
    expect(await test()).toMatchObject({ isWorking: false, fix: expect.stringContaining('Check the issuer: ') })
    await admin.client.call(saveProvider, described({ issuer: 'http://127.0.0.1:1' }))
    expect(await test()).toEqual({
      isWorking: false,
      message: 'Keycloak can’t be used, because it can’t be reached.',
      fix: 'Check the issuer, and whether this server can open that address.',
    })
  })
})

describe('providers of the environment', () => {
  it('can’t be changed, and their problems name the variables', async () => {
    const given = await createTestApp({ oidcProviders: [providerAt(provider.issuer, { clientSecret: 'wrong' })] })
    try {
      const { client } = await given.createUser({ isAdmin: true })
      const { providers } = (await client.call(getSignInSettings, {})).body
      expect(providers).toMatchObject([{ name: 'keycloak', source: 'environment' }])
      for (const attempt of [
        client.call(saveProvider, described()),
        client.call(removeProvider, { name: 'keycloak' }),
      ]) {
        expect(await attempt).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
      }
      const { checks } = (await client.call(runChecks, {})).body
      expect(checks.find(({ id }) => id === 'sign-in')).toMatchObject({
        state: 'failed',
        fix: 'Check ALCOVE_OIDC_KEYCLOAK_CLIENT_ID and ALCOVE_OIDC_KEYCLOAK_CLIENT_SECRET.',
      })
    } finally {
      await given.close()
    }
  })
})
