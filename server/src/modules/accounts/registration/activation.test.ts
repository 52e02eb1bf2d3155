import {
  activate,
  forgotPassword,
  getAccountStatus,
  login,
  register,
  resendActivation,
  resetPassword,
  updateEmail,
  updatePassword,
} from '@alcove/contract/accounts'
import { ACTIVATION_TTL, MAX_MAILS_TO_ADDRESS } from '@alcove/contract/limits'
import { addPasskey, getPasskeyLoginOptions, getPasskeyOptions, loginWithPasskey } from '@alcove/contract/passkeys'
import { beginTwoFactor, enableTwoFactor } from '@alcove/contract/two-factor'
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@alcove/contract/webauthn'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Authenticator } from '../../../testing/clients/authenticator.ts'
import { readSubjects, readToken, readTokens } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { sweepAccounts } from './sweep-accounts.ts'

const first = TEST_PASSWORD
const second = 'Another-horse-8'
/** The headers of a client in another network. */
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.9' }

let app: TestApp
let victim: string
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(() => {
  victim = `${crypto.randomUUID()}@example.com`
})

const signUp = (password = first) => app.visitor.call(register, { email: victim, password })
const tokenOf = (email = victim) => readToken(app, 'activate', email)
const activateFrom = (input: Record<string, unknown>, headers: Record<string, string> = ELSEWHERE) =>
  app.visitor.raw(activate, input, headers)
const statusOf = async (password: string, email = victim) => (await app.visitor.raw(login, { email, password })).status

describe('activating an account', () => {
  it('accepts the activation token alone only from the network that registered the account', async () => {
    await signUp()
    const token = await tokenOf()
    const refused = await activateFrom({ token })
    expect(refused).toMatchObject({ status: 403, body: { code: 'password_required' } })
    expect(await statusOf(first)).toBe(403)
    expect((await activateFrom({ token }, {})).status).toBe(200)
    expect(await statusOf(first)).toBe(200)
  })

  it('accepts the activation token from another network with the registering browser’s proof', async () => {
    const { proof } = (await signUp()).body
    const token = await tokenOf()
    expect((await activateFrom({ token, proof: 'x' }, {})).status).toBe(403)
    expect((await activateFrom({ token, proof })).status).toBe(200)
    expect(await statusOf(first)).toBe(200)
  })

  it('accepts the activation token from another network only with the chosen password', async () => {
    await signUp()
    const token = await tokenOf()
    const wrong = await activateFrom({ token, password: second })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect((await activateFrom({ token, password: first })).status).toBe(200)
  })

  it('replaces the password chosen at registration when activation sets a new one', async () => {
    await signUp()
    const token = await tokenOf()
    expect((await activateFrom({ token, newPassword: 'short' })).status).toBe(400)
    expect((await activateFrom({ token, newPassword: second })).status).toBe(200)
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
  })
})

describe('registering an address again', () => {
  it('replaces the password, token and proof of an account that was never activated', async () => {
    const { proof } = (await signUp(first)).body
    const oldToken = await tokenOf()
    expect((await signUp(second)).status).toBe(201)
    expect((await activateFrom({ token: oldToken, proof })).status).toBe(400)
    const token = (await readTokens(app, 'activate', victim)).find((each) => each !== oldToken)
    expect((await activateFrom({ token, proof })).status).toBe(403)
    expect((await activateFrom({ token }, {})).status).toBe(200)
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
  })

  it('rejects a repeated registration with the same password or after activation', async () => {
    await signUp()
    expect((await signUp()).status).toBe(409)
    await activateFrom({ token: await tokenOf() }, {})
    expect((await signUp(second)).status).toBe(409)
    expect(await statusOf(first)).toBe(200)
  })

  it('lets exactly one of a concurrent registration and activation succeed', async () => {
    for (let round = 0; round < 6; round++) {
      victim = `${crypto.randomUUID()}@example.com`
      await signUp(first)
      const token = await tokenOf()
      const [again, activated] = await Promise.all([signUp(second), activateFrom({ token }, {})])
      expect([
        [201, 400],
        [409, 200],
      ]).toContainEqual([again.status, activated.status])
      expect(await statusOf(first)).toBe(activated.status === 200 ? 200 : 401)
    }
  })
})

describe('sweeping accounts that were never activated', () => {
  it('deletes a never-activated account after its links expire and keeps other accounts', async () => {
    await signUp()
    const waiting = await app.createUser()
    await waiting.client.call(updateEmail, { email: waiting.email, newEmail: `n-${waiting.email}`, password: first })
    const resent = `r-${victim}`
    await app.visitor.call(register, { email: resent, password: first })
    app.clock.advance(ACTIVATION_TTL - 1000)
    await app.visitor.call(resendActivation, { email: resent })
    app.clock.advance(2000)
    await sweepAccounts(app.services)
    const left = await app.services.db
      .selectFrom('users')
      .select('email')
      .where('email', 'in', [victim, `n-${waiting.email}`, resent])
      .execute()
    expect(left.map(({ email }) => email).sort()).toEqual([`n-${waiting.email}`, resent].sort())
    expect((await signUp(second)).status).toBe(201)
  })
})

describe('an account with an unconfirmed new address', () => {
  let attacker: TestUser
  let authenticator: Authenticator
  beforeEach(async () => {
    attacker = await app.createUser()
    authenticator = new Authenticator(app.services.config.publicUrl)
    const options = await attacker.client.raw<{ options: PasskeyCreationOptions }>(getPasskeyOptions, {
      password: first,
    })
    await attacker.client.call(addPasskey, { response: authenticator.create(options.body.options) })
    const setup = await attacker.client.raw<{ secret: string }>(beginTwoFactor, { password: first })
    const code = new TOTP({ secret: setup.body.secret }).generate({ timestamp: app.clock.now() })
    expect((await attacker.client.raw(enableTwoFactor, { code })).status).toBe(200)
    const changed = { email: attacker.email, newEmail: victim, password: first }
    expect((await attacker.client.call(updateEmail, changed)).status).toBe(200)
  })

  const signInByPasskey = async () => {
    const { body } = await app.visitor.raw<{ options: PasskeyRequestOptions }>(getPasskeyLoginOptions, {})
    return (await app.visitor.call(loginWithPasskey, { response: authenticator.get(body.options) })).status
  }
  const statusOfSession = async () => (await attacker.client.call(getAccountStatus, {})).status

  it('removes earlier sessions, passkeys and second factors when the address owner resets the password', async () => {
    await app.visitor.call(forgotPassword, { email: victim })
    const resetToken = await readToken(app, 'reset-password', victim)
    const newPassword = 'Victims1@horse'
    expect((await app.visitor.call(resetPassword, { resetToken, newPassword })).status).toBe(200)
    expect(await statusOfSession()).toBe(401)
    expect((await activateFrom({ token: await tokenOf(), password: newPassword })).status).toBe(200)
    expect(await signInByPasskey()).toBe(403)
    // The previous user’s second factor must not lock the owner out.
    const signedIn = await app.visitor.raw(login, { email: victim, password: newPassword })
    expect(signedIn).toMatchObject({ status: 200, body: { token: expect.any(String) } })
  })

  it('removes all earlier access when the address owner confirms with a new password', async () => {
    expect((await activateFrom({ token: await tokenOf(), newPassword: second })).status).toBe(200)
    expect([await statusOfSession(), await signInByPasskey(), await statusOf(first)]).toEqual([401, 403, 401])
    const signedIn = await app.visitor.raw(login, { email: victim, password: second })
    expect(signedIn).toMatchObject({ status: 200, body: { token: expect.any(String) } })
  })

  it('keeps the session and passkey when the signed-in user confirms the address', async () => {
    expect((await attacker.client.call(activate, { token: await tokenOf() })).status).toBe(200)
    expect([await statusOfSession(), await signInByPasskey()]).toEqual([200, 200])
  })

  it('sends notices to the last confirmed address instead of the unconfirmed one', async () => {
    const before = (await readSubjects(app, victim)).length
    const changed = { currentPassword: first, newPassword: second }
    expect((await attacker.client.call(updatePassword, changed)).status).toBe(200)
    expect((await readSubjects(app, victim)).length).toBe(before)
    expect(await readSubjects(app, attacker.email)).toContain('Your Alcove password was changed')
  })
})

describe('mail delivery', () => {
  it(`sends at most ${MAX_MAILS_TO_ADDRESS} mails an hour to one address`, async () => {
    const limited = await createTestApp({ rateLimits: true })
    const user = await limited.createUser()
    let password = first
    for (let change = 0; change < MAX_MAILS_TO_ADDRESS + 5; change++) {
      const newPassword = `Changing-horse-${change}`
      const changed = await user.client.call(updatePassword, { currentPassword: password, newPassword })
      expect(changed.status).toBe(200)
      password = newPassword
    }
    expect(await readSubjects(limited, user.email)).toHaveLength(MAX_MAILS_TO_ADDRESS)
    await limited.close()
  })
})
