import { randomUUID } from 'node:crypto'
import { deleteAccount, getAccountStatus, getDataUrl, login, updatePassword } from '@alcove/contract/accounts'
import type { AnyCall } from '@alcove/contract/call'
import { allCalls } from '@alcove/contract/calls'
import { MAX_FAILED_LOGINS, MAX_WRONG_CODES, RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import { createOpenApi } from '@alcove/contract/openapi'
import { addPasskey, getPasskeyOptions, listPasskeys, loginWithPasskey, removePasskey } from '@alcove/contract/passkeys'
import {
  getReauthenticationOptions,
  reauthenticate,
  reauthenticateWithPasskey,
} from '@alcove/contract/reauthentication'
import { endOtherSessions, endSession, listSessions } from '@alcove/contract/sessions'
import { beginTwoFactor, enableTwoFactor } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Authenticator } from '../../../testing/clients/authenticator.ts'
import { TestClient } from '../../../testing/clients/client.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

const password = TEST_PASSWORD
const required = {
  status: 403,
  body: { code: 'reauthentication_required', error: 'Confirm your password to continue.' },
}
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

const expireRecentSignIn = () => app.clock.advance(RECENT_SIGN_IN_WINDOW)
const isConfirmed = async () => (await user.client.call(getDataUrl, {})).status === 200

async function signIn(): Promise<TestClient> {
  const { body } = await app.visitor.call(login, { email: user.email, password })
  if (body.twoFactorRequired) throw new Error('two-factor sign-in is on')
  return new TestClient(app.app, body.token)
}

async function turnOnTwoFactor(): Promise<{ nextCode: () => string; recoveryCodes: string[] }> {
  const { secret } = (await user.client.call(beginTwoFactor, { password })).body
  const totp = new TOTP({ secret })
  const codeNow = () => totp.generate({ timestamp: app.clock.now() })
  const { recoveryCodes } = (await user.client.call(enableTwoFactor, { code: codeNow() })).body
  const nextCode = () => {
    app.clock.advance(60_000)
    return codeNow()
  }
  return { nextCode, recoveryCodes }
}

async function givePasskey(of: TestUser): Promise<Authenticator> {
  const authenticator = new Authenticator(app.services.config.publicUrl)
  const { body } = await of.client.call(getPasskeyOptions, { password })
  if (!body.available) throw new Error(body.reason)
  const added = await of.client.call(addPasskey, { response: authenticator.create(body.options) })
  expect(added.status).toBe(201)
  return authenticator
}

async function getOptions(of = user) {
  const { body } = await of.client.call(getReauthenticationOptions, {})
  if (!body.available) throw new Error(body.reason)
  return body.options
}

describe('a call that requires a recent sign-in', () => {
  // To others, the calls for administrators look like addresses where nothing is. modules/admin/ tests them.
  const guarded = allCalls.filter(({ recentSignIn, access }) => recentSignIn && access !== 'admin')
  const nameOf = ({ method, path }: AnyCall) => `${method} ${path}`

  it('requires a recent sign-in for security changes, data export and account deletion', () => {
    expect(guarded.map(nameOf).sort()).toEqual([
      'DELETE /account/delete',
      'DELETE /account/passkey/{id}',
      'DELETE /account/session/{id}',
      'DELETE /account/sign-in/{id}',
      'POST /account/data-url',
      'POST /account/passkeys',
      'POST /account/sessions/end-others',
      'POST /account/sign-in/link',
      'POST /account/two-factor',
      'POST /app-passwords',
      'POST /login-flow/{token}/allow',
    ])
  })

  it.each(guarded.map((call) => [nameOf(call), call] as const))(
    'rejects %s without a recent sign-in',
    async (_name, call) => {
      expireRecentSignIn()
      expect(await user.client.raw(call, { id: randomUUID() })).toMatchObject(required)
      expect((await user.client.call(getAccountStatus, {})).status).toBe(200)
      const visitor = await app.visitor.raw(call, { id: randomUUID() })
      expect(visitor.status).toBe(401)
      expect((await user.client.call(reauthenticate, { password })).status).toBe(200)
      const { body } = await user.client.raw(call, { id: randomUUID() })
      expect(body.code).not.toBe('reauthentication_required')
    },
  )

  it('accepts the call for 15 minutes after a sign-in or a confirmation', async () => {
    app.clock.advance(RECENT_SIGN_IN_WINDOW - 1)
    expect(await isConfirmed()).toBe(true)
    app.clock.advance(1)
    expect(await isConfirmed()).toBe(false)
    expect((await user.client.call(reauthenticate, { password })).body.message).toBeTruthy()
    app.clock.advance(RECENT_SIGN_IN_WINDOW - 1)
    expect(await isConfirmed()).toBe(true)
    app.clock.advance(1)
    expect(await isConfirmed()).toBe(false)
  })

  it('accepts a newly opened session regardless of the age of other sessions', async () => {
    expireRecentSignIn()
    const fresh = await signIn()
    expect(await user.client.call(endOtherSessions, {})).toMatchObject(required)
    const { sessions } = (await fresh.call(listSessions, {})).body
    const other = sessions.find(({ isCurrent }) => !isCurrent)
    expect((await fresh.call(endSession, { id: other?.id as string })).status).toBe(200)
    expect((await fresh.call(deleteAccount, {})).status).toBe(200)
  })

  it('changes nothing when a call is rejected for lack of a recent sign-in', async () => {
    await givePasskey(user)
    const other = await signIn()
    expireRecentSignIn()
    const [passkey] = (await user.client.call(listPasskeys, {})).body.passkeys
    expect(await user.client.call(removePasskey, { id: passkey?.id as string })).toMatchObject(required)
    expect(await user.client.call(endOtherSessions, {})).toMatchObject(required)
    expect(await user.client.call(deleteAccount, {})).toMatchObject(required)
    expect((await user.client.call(listPasskeys, {})).body.passkeys).toHaveLength(1)
    expect((await other.call(getAccountStatus, {})).status).toBe(200)
  })

  it('documents the required recent sign-in in OpenAPI', () => {
    const { paths } = createOpenApi('http://localhost') as { paths: Record<string, Record<string, object>> }
    expect(paths['/account/delete']?.delete).toMatchObject({
      description: expect.stringContaining('reauthentication_required'),
    })
    expect(paths['/account/status']?.get).not.toHaveProperty('description')
  })
})

describe('confirming a session with the password', () => {
  beforeEach(expireRecentSignIn)

  it('confirms only the current session', async () => {
    const other = await signIn()
    expireRecentSignIn()
    await user.client.call(reauthenticate, { password })
    expect(await isConfirmed()).toBe(true)
    expect(await other.call(getDataUrl, {})).toMatchObject(required)
  })

  it('rejects wrong passwords with 403 and limits them like failed sign-ins', async () => {
    for (let tries = 0; tries < MAX_FAILED_LOGINS; tries++) {
      expect(await user.client.call(reauthenticate, { password: 'Wrong-horse-7' })).toMatchObject({
        status: 403,
        body: { code: 'wrong_password', error: 'Incorrect password.' },
      })
    }
    expect((await user.client.call(reauthenticate, { password })).status).toBe(429)
    expect(await isConfirmed()).toBe(false)
  })

  it('does not count correct passwords towards the limit', async () => {
    for (let tries = 0; tries < MAX_FAILED_LOGINS + 2; tries++) {
      expect((await user.client.call(reauthenticate, { password })).status).toBe(200)
    }
  })

  it('requires an unused code when two-factor sign-in is on', async () => {
    await user.client.call(reauthenticate, { password })
    const { nextCode, recoveryCodes } = await turnOnTwoFactor()
    expireRecentSignIn()
    expect(await user.client.call(reauthenticate, { password })).toMatchObject({
      status: 403,
      body: { code: 'wrong_code', error: 'Enter a code from your authenticator app or a recovery code.' },
    })
    expect(await isConfirmed()).toBe(false)
    const code = nextCode()
    expect((await user.client.call(reauthenticate, { password: 'Wrong-horse-7', code })).status).toBe(403)
    expect((await user.client.call(reauthenticate, { password, code })).status).toBe(200)
    expect(await isConfirmed()).toBe(true)
    expireRecentSignIn()
    expect((await user.client.call(reauthenticate, { password, code })).status).toBe(403)
    const recovery = recoveryCodes[0] as string
    expect((await user.client.call(reauthenticate, { password, code: recovery })).status).toBe(200)
    expireRecentSignIn()
    expect((await user.client.call(reauthenticate, { password, code: recovery })).status).toBe(403)
    expect(await isConfirmed()).toBe(false)
  })

  it('limits wrong two-factor codes', async () => {
    await user.client.call(reauthenticate, { password })
    await turnOnTwoFactor()
    expireRecentSignIn()
    for (let tries = 0; tries < MAX_WRONG_CODES; tries++) {
      expect((await user.client.call(reauthenticate, { password, code: 'AAAAA-AAAAA' })).status).toBe(403)
    }
    expect((await user.client.call(reauthenticate, { password, code: 'AAAAA-AAAAA' })).status).toBe(429)
  })

  it('accepts a code for only one of several concurrent confirmations', async () => {
    await user.client.call(reauthenticate, { password })
    const { nextCode } = await turnOnTwoFactor()
    const code = nextCode()
    const responses = await Promise.all([1, 2, 3].map(() => user.client.call(reauthenticate, { password, code })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  it('does not revive a session that a concurrent password change ends', async () => {
    const other = await signIn()
    const newPassword = 'Another-horse-8'
    const [confirmed] = await Promise.all([
      user.client.call(reauthenticate, { password }),
      other.call(updatePassword, { currentPassword: password, newPassword }),
    ])
    expect([200, 401, 403]).toContain(confirmed.status)
    expect((await user.client.call(getDataUrl, {})).status).toBe(401)
  })
})

describe('confirming a session with a passkey', () => {
  it('offers the passkeys of the account and accepts each response once', async () => {
    const authenticator = await givePasskey(user)
    expireRecentSignIn()
    const options = await getOptions()
    expect(options.allowCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    const response = authenticator.get(options)
    expect((await user.client.call(reauthenticateWithPasskey, { response })).status).toBe(200)
    expect(await isConfirmed()).toBe(true)
    expireRecentSignIn()
    expect((await user.client.call(reauthenticateWithPasskey, { response })).status).toBe(400)
    expect(await isConfirmed()).toBe(false)
  })

  it('reports that confirming with a passkey is unavailable without passkeys', async () => {
    expect((await user.client.call(getReauthenticationOptions, {})).body).toEqual({
      available: false,
      reason: 'This account has no passkeys.',
    })
  })

  it('rejects another user’s passkey and another user’s challenge', async () => {
    const ownKey = await givePasskey(user)
    const stranger = await app.createUser()
    const strangerKey = await givePasskey(stranger)
    expireRecentSignIn()
    const wrongKey = strangerKey.get(await getOptions())
    expect((await user.client.call(reauthenticateWithPasskey, { response: wrongKey })).status).toBe(403)
    const wrongChallenge = ownKey.get(await getOptions(stranger))
    expect((await user.client.call(reauthenticateWithPasskey, { response: wrongChallenge })).status).toBe(400)
    expect(await isConfirmed()).toBe(false)
  })

  it('rejects a confirmation challenge at sign-in', async () => {
    const authenticator = await givePasskey(user)
    const response = authenticator.get(await getOptions())
    expect((await app.visitor.call(loginWithPasskey, { response })).status).toBe(400)
  })
})

describe('a call that carries the current password', () => {
  beforeEach(expireRecentSignIn)

  it('turns on two-factor sign-in without a recent sign-in', async () => {
    const { recoveryCodes } = await turnOnTwoFactor()
    expect(recoveryCodes).toHaveLength(10)
  })

  it('adds a passkey without a recent sign-in unless two-factor sign-in is on', async () => {
    await givePasskey(user)
    expireRecentSignIn()
    const { nextCode } = await turnOnTwoFactor()
    expireRecentSignIn()
    expect(await user.client.call(getPasskeyOptions, { password })).toMatchObject(required)
    await user.client.call(reauthenticate, { password, code: nextCode() })
    await givePasskey(user)
  })
})
