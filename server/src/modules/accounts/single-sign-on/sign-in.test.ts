import {
  deleteAccount,
  forgotPassword,
  login,
  logout,
  register,
  updateEmail,
  updatePassword,
} from '@alcove/contract/accounts'
import { changeSignUpSettings } from '@alcove/contract/admin-sign-up'
import { createAppPassword } from '@alcove/contract/app-passwords'
import { getStorage } from '@alcove/contract/files'
import { createInvitation } from '@alcove/contract/invitations'
import { RECENT_SIGN_IN_WINDOW, SIGN_IN_FLOW_TTL } from '@alcove/contract/limits'
import {
  finishForAccount,
  finishSignIn,
  getSignInMethods,
  getSignInOptions,
  startConfirmation,
  startLink,
  startSignIn,
  unlinkIdentity,
} from '@alcove/contract/single-sign-on'
import { beginTwoFactor, enableTwoFactor, loginWithCode } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects } from '../../../testing/clients/sign-up.ts'
import { type OidcEngine, startOidcProvider } from '../../../testing/engines/oidc-engine.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { providerAt } from '../../../testing/factories/providers.ts'
import { TEST_PASSWORD } from '../../../testing/factories/users.ts'
import { changeSetting, maintenanceSetting } from '../../site/index.ts'

let app: TestApp
let provider: OidcEngine
let people = 0

beforeAll(async () => {
  provider = await startOidcProvider('http://localhost:5100')
  app = await createTestApp({ oidcProviders: [providerAt(provider.issuer)] })
})
afterAll(async () => {
  await app.close()
  await provider.stop()
})

/** Makes a person known at the provider, and returns the name. */
function addPerson(claims: Record<string, unknown> = {}): { name: string; email: string } {
  people += 1
  const name = `person-${people}`
  const email = `${name}@example.com`
  provider.setPerson(name, { email, email_verified: true, ...claims })
  return { name, email }
}

async function signIn(name: string, of = app) {
  const { body } = await of.visitor.call(startSignIn, { provider: 'keycloak' })
  const { search } = await provider.visit(body.url, name)
  return of.visitor.call(finishSignIn, { provider: 'keycloak', query: search.slice(1), secret: body.secret })
}

/** Signs in, and returns the client of the session. */
async function signedInClient(name: string): Promise<TestClient> {
  const { body } = await signIn(name)
  if (body.result !== 'signed_in') throw new Error(`not signed in: ${body.result}`)
  return new TestClient(app.app, body.token)
}

/** Runs a flow of a signed-in user. */
async function runFlow(
  client: TestClient,
  name: string,
  call: typeof startLink | typeof startConfirmation,
  code?: string,
) {
  const { body } = await client.call(call, { provider: 'keycloak', ...(code && { code }) })
  if (body.error !== undefined) throw new Error(body.error)
  const { search } = await provider.visit(body.url, name)
  return client.call(finishForAccount, { provider: 'keycloak', query: search.slice(1), secret: body.secret })
}

describe('signing in through a provider', () => {
  it('lists the providers for the sign-in page, without their secrets', async () => {
    const { body } = await app.visitor.call(getSignInOptions, {})
    expect(body).toEqual({
      providers: [{ name: 'keycloak', label: 'Keycloak' }],
      hasPasswords: true,
      straightTo: null,
    })
  })

  it('creates an account without a password at the first sign-in, and finds it at the next one', async () => {
    const { name, email } = addPerson()
    const first = await signIn(name)
    expect(first.body).toMatchObject({ result: 'signed_in', email, planName: 'free' })
    const client = await signedInClient(name)
    const { body } = await client.call(getSignInMethods, {})
    expect(body).toMatchObject({ hasPassword: false, identities: [{ provider: 'Keycloak', email }] })
    expect((await app.visitor.call(login, { email, password: TEST_PASSWORD })).status).toBe(401)
  })

  it('lets nobody but administrators in during maintenance, and creates no account', async () => {
    const [known, unknown] = [addPerson(), addPerson()]
    await signIn(known.name)
    const setMaintenance = (on: boolean) => changeSetting(app.services, maintenanceSetting, () => ({ on, message: '' }))
    await setMaintenance(true)
    try {
      for (const { name } of [known, unknown]) expect((await signIn(name)).body.code).toBe('maintenance')
      await app.services.db.updateTable('users').set({ site_role: 'admin' }).where('email', '=', known.email).execute()
      expect((await signIn(known.name)).body.result).toBe('signed_in')
    } finally {
      await setMaintenance(false)
    }
    expect(await app.services.db.selectFrom('users').select('id').where('email', '=', unknown.email).execute()).toEqual(
      [],
    )
  })

  it('finds the account by the subject when the address at the provider changes', async () => {
    const { name, email } = addPerson()
    await signIn(name)
    provider.setPerson(name, { email: `new-${email}`, email_verified: true })
    expect((await signIn(name)).body).toMatchObject({ result: 'signed_in', email })
  })

  it('refuses a suspended account, and says so', async () => {
    const { name, email } = addPerson()
    await signIn(name)
    await app.services.db.updateTable('users').set({ suspended_at: 1 }).where('email', '=', email).execute()
    expect(await signIn(name)).toMatchObject({
      status: 403,
      body: { code: 'account_suspended', error: expect.stringContaining('is suspended') },
    })
  })

  it('refuses a person who cancels at the provider', async () => {
    expect(await signIn('nobody')).toMatchObject({
      status: 403,
      body: {
        code: 'sign_in_refused',
        error: 'Sign-in with Keycloak failed because it was cancelled or not allowed there. Please start again.',
      },
    })
  })

  it('asks for a code if the account has two-factor sign-in on', async () => {
    const { name, email } = addPerson()
    const client = await signedInClient(name)
    const totp = await turnOnTwoFactor(client)
    const { body } = await signIn(name)
    if (body.result !== 'code_required') throw new Error(`no code required: ${body.result}`)
    app.clock.advance(60_000)
    const code = totp.generate({ timestamp: app.clock.now() })
    const { challenge, ticket } = body
    expect((await app.visitor.call(loginWithCode, { challenge, code, ticket })).body).toMatchObject({ email })
  })

  it('lets a user without a password use app passwords', async () => {
    const { name } = addPerson()
    const client = await signedInClient(name)
    expect((await client.call(createAppPassword, { name: 'Laptop', scope: 'write' })).status).toBe(201)
  })
})

describe('an account that has the address of the person', () => {
  it('is linked after its user has signed in with the password', async () => {
    const { name, email } = addPerson()
    const user = await app.createUser({ email })
    const { body } = await signIn(name)
    if (body.result !== 'link_required') throw new Error(`no link required: ${body.result}`)
    const { ticket } = body
    expect((await app.visitor.call(login, { email, password: 'Wrong-horse-7', ticket })).status).toBe(401)
    expect((await signIn(name)).body).toMatchObject({ result: 'link_required' })
    expect((await app.visitor.call(login, { email, password: TEST_PASSWORD, ticket })).status).toBe(200)
    expect((await signIn(name)).body).toMatchObject({ result: 'signed_in', email })
    expect((await user.client.call(getSignInMethods, {})).body).toMatchObject({
      hasPassword: true,
      identities: [{ email }],
    })
    expect(await readSubjects(app, email)).toContain('A sign-in provider was linked - Alcove')
  })

  it('is linked only after the code if two-factor sign-in is on', async () => {
    const { name, email } = addPerson()
    const user = await app.createUser({ email })
    const totp = await turnOnTwoFactor(user.client, TEST_PASSWORD)
    const { body } = await signIn(name)
    if (body.result !== 'link_required') throw new Error(`no link required: ${body.result}`)
    const { ticket } = body
    const first = await app.visitor.call(login, { email, password: TEST_PASSWORD, ticket })
    if (!first.body.twoFactorRequired) throw new Error('no code required')
    expect((await signIn(name)).body).toMatchObject({ result: 'link_required' })
    app.clock.advance(60_000)
    const code = totp.generate({ timestamp: app.clock.now() })
    const { challenge } = first.body
    expect((await app.visitor.call(loginWithCode, { challenge, code, ticket })).status).toBe(200)
    expect((await signIn(name)).body).toMatchObject({ result: 'code_required' })
  })

  it('can’t be linked with the ticket of another person, a forged ticket or an old one', async () => {
    const user = await app.createUser()
    await app.createUser({ email: addPerson().email })
    const { body } = await signIn(`person-${people}`)
    if (body.result !== 'link_required') throw new Error(`no link required: ${body.result}`)
    const input = { email: user.email, password: TEST_PASSWORD }
    expect(await app.visitor.call(login, { ...input, ticket: body.ticket })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_refused' },
    })
    expect((await app.visitor.call(login, { ...input, ticket: [...body.ticket].reverse().join('') })).status).toBe(400)
    app.clock.advance(SIGN_IN_FLOW_TTL)
    expect((await app.visitor.call(login, { ...input, ticket: body.ticket })).status).toBe(400)
  })
})

describe('who gets an account', () => {
  async function appWith(details: Parameters<typeof providerAt>[1]): Promise<TestApp> {
    return createTestApp({ oidcProviders: [providerAt(provider.issuer, details)] })
  }

  it('gives accounts only to addresses of the allowed domains', async () => {
    const closed = await appWith({ newAccounts: 'invited', domains: ['example.org'] })
    try {
      const { name } = addPerson()
      expect(await signIn(name, closed)).toMatchObject({
        status: 403,
        body: {
          error:
            'Sign-in with Keycloak failed because you have no account here and nobody has invited you. Please start again.',
        },
      })
      const colleague = addPerson({ email: 'colleague@example.org' })
      expect((await signIn(colleague.name, closed)).body).toMatchObject({ result: 'signed_in' })
      const impostor = addPerson({ email: 'somebody@notexample.org' })
      expect((await signIn(impostor.name, closed)).status).toBe(403)
    } finally {
      await closed.close()
    }
  })

  it('gives invited people what their invitation promises, and asks none of them for two-factor sign-in', async () => {
    const closed = await appWith({ newAccounts: 'invited' })
    try {
      const { client } = await closed.createUser({ isAdmin: true })
      const { name, email } = addPerson()
      await client.call(createInvitation, { email, planId: 2, quota: 7 })
      await client.call(changeSignUpSettings, { requireTwoFactor: true })
      const { body } = await signIn(name, closed)
      if (body.result !== 'signed_in') throw new Error(body.result)
      const storage = await new TestClient(closed.app, body.token).call(getStorage, {})
      expect(storage.body).toMatchObject({ plan_name: '500 GB Monthly', allocated_bytes: 7 })
      expect((await closed.services.db.selectFrom('invitations').select('id').execute()).length).toBe(0)
    } finally {
      await closed.close()
    }
  })

  it('admits only members of the allowed groups', async () => {
    const closed = await appWith({ allowedGroups: ['family', 'friends'] })
    try {
      const member = addPerson({ groups: ['others', 'friends'] })
      expect((await signIn(member.name, closed)).body).toMatchObject({ result: 'signed_in' })
      const stranger = addPerson({ groups: ['others', 'family-of-others'] })
      expect(await signIn(stranger.name, closed)).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('you are in none of the groups that may use this server') },
      })
      provider.setPerson(member.name, { email: member.email, email_verified: true, groups: [] })
      expect((await signIn(member.name, closed)).status).toBe(403)
    } finally {
      await closed.close()
    }
  })

  it('sets the quota from a claim at each sign-in', async () => {
    const limited = await appWith({ quotaClaim: 'quota' })
    try {
      const { name, email } = addPerson({ quota: '50 GB' })
      const quota = async () =>
        (
          await limited.services.db
            .selectFrom('users')
            .select('allocated_bytes')
            .where('email', '=', email)
            .executeTakeFirstOrThrow()
        ).allocated_bytes
      await signIn(name, limited)
      expect(await quota()).toBe(50e9)
      provider.setPerson(name, { email, email_verified: true, quota: 7_000_000_000 })
      await signIn(name, limited)
      expect(await quota()).toBe(7e9)
      provider.setPerson(name, { email, email_verified: true, quota: 'plenty' })
      await signIn(name, limited)
      expect(await quota()).toBe(7e9)
    } finally {
      await limited.close()
    }
  })
})

describe('the role of a user', () => {
  it('follows a claim at each sign-in, but the only administrator stays one', async () => {
    const roled = await createTestApp({
      oidcProviders: [providerAt(provider.issuer, { roleClaim: 'roles', adminValue: 'alcove-admin' })],
    })
    try {
      const isAdmin = async ({ name, email }: ReturnType<typeof addPerson>, roles: unknown) => {
        provider.setPerson(name, { email, email_verified: true, roles })
        await signIn(name, roled)
        const row = await roled.services.db
          .selectFrom('users')
          .select('site_role')
          .where('email', '=', email)
          .executeTakeFirstOrThrow()
        return row.site_role === 'admin'
      }
      const first = addPerson()
      const second = addPerson()
      expect(await isAdmin(first, ['others'])).toBe(false)
      expect(await isAdmin(first, ['others', 'alcove-admin'])).toBe(true)
      expect(await isAdmin(first, [])).toBe(true)
      expect(await isAdmin(second, 'alcove-admin')).toBe(true)
      expect(await isAdmin(first, 'not-alcove-admin')).toBe(false)
      const entries = await roled.services.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
      expect(entries.map(({ action, target, details }) => [action, target, JSON.parse(details ?? '{}').after])).toEqual(
        [
          ['user.role', first.email, 'admin'],
          ['user.role', second.email, 'admin'],
          ['user.role', first.email, 'user'],
        ],
      )
    } finally {
      await roled.close()
    }
  })
})

describe('linked providers of an account', () => {
  it('links and unlinks a provider', async () => {
    const { name } = addPerson()
    const user = await app.createUser()
    expect((await runFlow(user.client, name, startLink)).body).toMatchObject({
      purpose: 'link',
      message: 'You can now sign in with Keycloak.',
    })
    expect((await signIn(name)).body).toMatchObject({ result: 'signed_in', email: user.email })
    const [identity] = (await user.client.call(getSignInMethods, {})).body.identities
    expect((await user.client.call(unlinkIdentity, { id: identity?.id ?? '' })).status).toBe(200)
    expect((await user.client.call(getSignInMethods, {})).body.identities).toEqual([])
    expect((await signIn(name)).body).toMatchObject({ result: 'signed_in', email: `${name}@example.com` })
  })

  it('does not link a person who is linked to another account', async () => {
    const { name } = addPerson()
    await signIn(name)
    const user = await app.createUser()
    expect(await runFlow(user.client, name, startLink)).toMatchObject({
      status: 409,
      body: { error: 'This identity is already linked to another account.' },
    })
  })

  it('keeps the only way to sign in', async () => {
    const { name } = addPerson()
    const client = await signedInClient(name)
    const [identity] = (await client.call(getSignInMethods, {})).body.identities
    const input = { id: identity?.id ?? '' }
    expect(await client.call(unlinkIdentity, input)).toMatchObject({
      status: 409,
      body: { error: 'This is your only way to sign in. Set a password or add a passkey first.' },
    })
    expect((await client.call(updatePassword, { newPassword: TEST_PASSWORD })).status).toBe(200)
    expect((await client.call(unlinkIdentity, input)).status).toBe(200)
  })

  it('can’t be unlinked by another user', async () => {
    const { name } = addPerson()
    const client = await signedInClient(name)
    const [identity] = (await client.call(getSignInMethods, {})).body.identities
    const stranger = await app.createUser()
    expect((await stranger.client.call(unlinkIdentity, { id: identity?.id ?? '' })).status).toBe(404)
  })
})

describe('an account without a password', () => {
  it('confirms changes through the provider', async () => {
    const { name, email } = addPerson()
    const client = await signedInClient(name)
    app.clock.advance(RECENT_SIGN_IN_WINDOW)
    const change = { email, newEmail: `changed-${email}` }
    for (const attempt of [
      () => client.call(updateEmail, change),
      () => client.call(updatePassword, { newPassword: TEST_PASSWORD }),
      () => client.call(beginTwoFactor, {}),
      () => client.call(deleteAccount, {}),
    ]) {
      expect(await attempt()).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } })
    }
    expect((await runFlow(client, name, startConfirmation)).body).toMatchObject({ purpose: 'confirm' })
    expect((await client.call(updateEmail, change)).status).toBe(200)
  })

  it('can’t be confirmed without a code if two-factor sign-in is on', async () => {
    const { name } = addPerson()
    const client = await signedInClient(name)
    const totp = await turnOnTwoFactor(client)
    expect(await client.call(startConfirmation, { provider: 'keycloak' })).toMatchObject({
      status: 403,
      body: { code: 'wrong_code' },
    })
    app.clock.advance(60_000)
    const code = totp.generate({ timestamp: app.clock.now() })
    expect((await runFlow(client, name, startConfirmation, code)).status).toBe(200)
  })

  it('still requires the password of an account that has one', async () => {
    const { client, email } = await app.createUser()
    expect(await client.call(updateEmail, { email, newEmail: `changed-${email}` })).toMatchObject({
      status: 400,
      body: { error: 'Enter your password.' },
    })
  })

  it('is deleted with its links', async () => {
    const { name } = addPerson()
    const client = await signedInClient(name)
    expect((await client.call(deleteAccount, {})).status).toBe(200)
    const rows = await app.services.db.selectFrom('oidc_identities').selectAll().where('subject', '=', name).execute()
    expect(rows).toEqual([])
  })
})

describe('signing out', () => {
  it('returns the address at which the provider signs the user out', async () => {
    const { name } = addPerson()
    const client = await signedInClient(name)
    const url = new URL((await client.call(logout, {})).body.signOutUrl ?? '')
    expect(url.origin).toBe(provider.issuer)
    expect(url.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost:5100/')
  })

  it('returns no address after a sign-in with a password', async () => {
    const { client } = await app.createUser()
    expect((await client.call(logout, {})).body).not.toHaveProperty('signOutUrl')
  })
})

describe('passwords switched off', () => {
  it('lets users sign in only through the provider, and still link accounts with their password', async () => {
    const strict = await createTestApp({ oidcProviders: [providerAt(provider.issuer)], passwordSignIn: false })
    try {
      const { name, email } = addPerson()
      await strict.createUser({ email })
      const input = { email, password: TEST_PASSWORD }
      expect(await strict.visitor.call(login, input)).toMatchObject({
        status: 403,
        body: { error: 'Passwords and passkeys are switched off here. Sign in with Keycloak.' },
      })
      const admin = await strict.createUser({ isAdmin: true })
      expect((await strict.visitor.call(login, { email: admin.email, password: TEST_PASSWORD })).status).toBe(200)
      expect((await strict.visitor.call(register, { email: 'a@example.com', password: TEST_PASSWORD })).status).toBe(
        403,
      )
      for (const address of [email, admin.email]) await strict.visitor.call(forgotPassword, { email: address })
      expect(await readSubjects(strict, email)).toEqual([])
      expect(await readSubjects(strict, admin.email)).toHaveLength(1)
      const wrong = { email, password: 'Wrong-horse-7' }
      expect((await strict.visitor.call(login, wrong)).status).toBe(401)
      const { body } = await signIn(name, strict)
      if (body.result !== 'link_required') throw new Error(`no link required: ${body.result}`)
      expect((await strict.visitor.call(login, { ...input, ticket: body.ticket })).status).toBe(200)
      expect((await signIn(name, strict)).body).toMatchObject({ result: 'signed_in' })
    } finally {
      await strict.close()
    }
  })

  it('stays on while there is no provider', async () => {
    const lonely = await createTestApp({ passwordSignIn: false })
    try {
      const { email } = await lonely.createUser()
      expect((await lonely.visitor.call(login, { email, password: TEST_PASSWORD })).status).toBe(200)
    } finally {
      await lonely.close()
    }
  })
})

async function turnOnTwoFactor(client: TestClient, password?: string): Promise<TOTP> {
  const { body } = await client.call(beginTwoFactor, { password })
  const totp = new TOTP({ secret: body.secret })
  const response = await client.call(enableTwoFactor, { code: totp.generate({ timestamp: app.clock.now() }) })
  expect(response.status).toBe(200)
  return totp
}
