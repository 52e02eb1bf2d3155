import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import { finishSignIn, startSignIn } from '@alcove/contract/single-sign-on'
import type { ServerMetadata } from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { assertMetadata } from '../../../platform/oidc/oidc-client.ts'
import { type EvilProvider, startEvilProvider } from '../../../testing/engines/evil-oidc-provider.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { providerAt } from '../../../testing/factories/providers.ts'

let provider: EvilProvider
let app: TestApp | undefined

beforeAll(async () => {
  provider = await startEvilProvider()
})
afterAll(() => provider.stop())
afterEach(async () => {
  await app?.close()
  app = undefined
})

type Json = Record<string, unknown>

function readDocument(name: string): ServerMetadata {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../../testing/discovery', `${name}.json`), 'utf8'))
}

interface KnownProvider {
  /** The settings that docs/operations/single-sign-on.md recommends. */
  settings: Partial<ConfiguredProvider>
  /** What the ID token says, besides the subject. */
  idToken: Json
  userInfo: Json
}

const known: Record<string, KnownProvider> = {
  keycloak: {
    settings: { newAccounts: 'everyone', roleClaim: 'realm_access.roles', adminValue: 'alcove-admin' },
    idToken: {
      email: 'ada@example.com',
      email_verified: true,
      realm_access: { roles: ['alcove-admin'] },
      azp: 'alcove',
    },
    userInfo: {},
  },
  authelia: {
    settings: { newAccounts: 'everyone', scopes: 'openid profile email groups', allowedGroups: ['family'] },
    // Since version 4.39, the ID token has no claims about the person.
    idToken: { azp: 'alcove' },
    userInfo: { email: 'ada@example.com', email_verified: true, groups: ['family', 'others'] },
  },
  authentik: {
    settings: { newAccounts: 'everyone', trustsEmail: true },
    // Since version 2025.10, addresses count as unverified unless the operator says otherwise.
    idToken: { email: 'ada@example.com', email_verified: false, groups: ['family'] },
    userInfo: {},
  },
  google: {
    settings: { newAccounts: 'invited', domains: ['example.com'] },
    idToken: { email: 'ada@example.com', email_verified: true, azp: 'alcove', hd: 'example.com' },
    userInfo: {},
  },
  entra: {
    settings: { newAccounts: 'everyone', trustsEmail: true },
    idToken: { email: 'Ada@Example.com', tid: '6babcaad-604b-40ac-a9d7-9fd97c0b779f', ver: '2.0' },
    userInfo: {},
  },
}

describe.each(Object.entries(known))('the discovery document of %s', (name, { settings, idToken, userInfo }) => {
  it('is accepted for its issuer only', () => {
    const document = readDocument(name)
    expect(() => assertMetadata(providerAt(document.issuer), document)).not.toThrow()
    expect(() => assertMetadata(providerAt(`${document.issuer}x`), document)).toThrow('is of the issuer')
  })

  it('leads to a sign-in with the settings that the documentation recommends', async () => {
    // The same document, but with the addresses of a provider on this machine.
    const here = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'issuer']
    provider.play({
      discovery: (honest) => ({
        ...readDocument(name),
        ...Object.fromEntries(here.map((field) => [field, honest[field]])),
      }),
      claims: ({ email: _email, email_verified: _verified, ...honest }) => ({ ...honest, ...idToken }),
      userInfo: ({ sub }) => ({ sub, ...userInfo }),
    })
    provider.setClaims({ sub: `ada-at-${name}` })
    app = await createTestApp({ oidcProviders: [providerAt(provider.issuer, settings)] })
    const { body } = await app.visitor.call(startSignIn, { provider: 'keycloak' })
    const url = new URL(body.url)
    const query = new URLSearchParams({
      code: url.searchParams.get('nonce') ?? '',
      state: url.searchParams.get('state') ?? '',
      iss: provider.issuer,
    })
    const response = await app.visitor.call(finishSignIn, {
      provider: 'keycloak',
      query: query.toString(),
      secret: body.secret,
    })
    expect(response.body).toMatchObject({ result: 'signed_in', email: 'ada@example.com' })
    const { site_role } = await app.services.db.selectFrom('users').select('site_role').executeTakeFirstOrThrow()
    expect(site_role).toBe(name === 'keycloak' ? 'admin' : 'user')
  })
})
