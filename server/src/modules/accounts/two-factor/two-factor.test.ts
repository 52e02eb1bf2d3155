import {
  forgotPassword,
  getAccountStatus,
  login,
  resetPassword,
  type SignedIn,
  updatePassword,
} from '@alcove/contract/accounts'
import { MAX_WRONG_CODES, RECOVERY_CODES, TWO_FACTOR_CHALLENGE_TTL } from '@alcove/contract/limits'
import { reauthenticate } from '@alcove/contract/reauthentication'
import {
  beginTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  loginWithCode,
  renewRecoveryCodes,
} from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects, readToken } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { sweepSessions } from '../sessions/sweep-sessions.ts'
import { SETUP_TTL } from './manage-two-factor.ts'

const STEP = 30_000
const password = TEST_PASSWORD
const wrong = { status: 403, body: { code: 'wrong_code', error: 'This code is incorrect.' } }
const expired = {
  status: 400,
  body: { code: 'invalid_token', error: 'This sign-in has expired. Please sign in again.' },
}
let app: TestApp
let user: TestUser
let totp: TOTP

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

/** Returns the code that the authenticator app shows now or a number of steps away. */
const codeNow = (steps = 0) => totp.generate({ timestamp: app.clock.now() + steps * STEP })
/** Returns a code that has not been used yet. */
function nextCode(): string {
  app.clock.advance(2 * STEP)
  return codeNow()
}

async function begin(of = user): Promise<void> {
  const { body } = await of.client.call(beginTwoFactor, { password })
  totp = new TOTP({ secret: body.secret })
}

async function turnOn(of = user): Promise<string[]> {
  await begin(of)
  const response = await of.client.call(enableTwoFactor, { code: codeNow() })
  expect(response.status).toBe(200)
  return response.body.recoveryCodes
}

type LoginResponse = Partial<SignedIn> & { twoFactorRequired?: boolean; challenge: string }
const signIn = (typed = password) => app.visitor.raw<LoginResponse>(login, { email: user.email, password: typed })
const challenge = async () => (await signIn()).body.challenge
const enter = async (code: string, given?: string) =>
  app.visitor.call(loginWithCode, { challenge: given ?? (await challenge()), code })
const state = async () => (await user.client.call(getTwoFactor, {})).body
const subjects = () => readSubjects(app, user.email)

describe('turning on two-factor sign-in', () => {
  it('requires the password and a code of the new secret and returns recovery codes', async () => {
    expect(await state()).toEqual({ isEnabled: false, enabledAt: null, recoveryCodesLeft: 0 })
    const setup = await user.client.call(beginTwoFactor, { password })
    expect(setup.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(setup.body.uri).toContain(`otpauth://totp/Alcove:${encodeURIComponent(user.email)}?`)
    expect(setup.body.uri).toContain(`secret=${setup.body.secret}`)
    expect(await state()).toMatchObject({ isEnabled: false })
    expect((await signIn()).body).toHaveProperty('token')
    totp = new TOTP({ secret: setup.body.secret })
    const response = await user.client.call(enableTwoFactor, {
      code: ` ${codeNow().slice(0, 3)} ${codeNow().slice(3)} `,
    })
    expect(new Set(response.body.recoveryCodes).size).toBe(RECOVERY_CODES)
    expect(await state()).toEqual({
      isEnabled: true,
      enabledAt: new Date(app.clock.now()).toISOString(),
      recoveryCodesLeft: RECOVERY_CODES,
    })
    expect((await subjects()).at(-1)).toBe('Two-factor sign-in was turned on - Alcove')
  })

  it('does not store the secret or the recovery codes in plain text', async () => {
    const codes = await turnOn()
    const { db } = app.services
    const rows = await Promise.all([
      db.selectFrom('two_factor').selectAll().where('user_id', '=', user.id).execute(),
      db.selectFrom('recovery_codes').selectAll().where('user_id', '=', user.id).execute(),
      db.selectFrom('jobs').selectAll().execute(),
    ])
    const kept = JSON.stringify(rows)
    expect(kept).not.toContain(totp.secret.base32)
    for (const code of codes) expect(kept).not.toContain(code.replaceAll('-', ''))
  })

  it('rejects a wrong password at the start and a wrong code at the end of the setup', async () => {
    expect(await user.client.call(beginTwoFactor, { password: 'Wrong-horse-7' })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password', error: 'Incorrect password.' },
    })
    await begin()
    for (const code of [codeNow(-3), codeNow(3), '000000', 'ABCD-EFGH-JKLM', '12345', '1234567']) {
      expect(await user.client.call(enableTwoFactor, { code })).toMatchObject(wrong)
    }
    expect(await state()).toMatchObject({ isEnabled: false })
  })

  it.each([undefined, null, 7, '', '   ', ' - ', 'x'.repeat(65), [], {}])(
    'rejects %j as a code with a readable message',
    async (code) => {
      const response = await user.client.raw(enableTwoFactor, { code })
      expect(response).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^(Enter the code|This code is incorrect)\.$/) },
      })
    },
  )

  it('accepts a code only for the latest secret and only for one hour', async () => {
    const nothing = await user.client.call(enableTwoFactor, { code: '123456' })
    expect(nothing).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    await begin()
    const first = totp
    await begin()
    expect(
      await user.client.call(enableTwoFactor, { code: first.generate({ timestamp: app.clock.now() }) }),
    ).toMatchObject(wrong)
    app.clock.advance(SETUP_TTL)
    await user.client.call(reauthenticate, { password })
    expect((await user.client.call(enableTwoFactor, { code: codeNow() })).status).toBe(409)
    await sweepSessions(app.services)
    const rows = await app.services.db.selectFrom('two_factor').selectAll().where('user_id', '=', user.id).execute()
    expect(rows).toEqual([])
  })

  it('turns on two-factor sign-in once under concurrent requests and rejects a restart', async () => {
    await begin()
    const code = codeNow()
    const both = await Promise.all([1, 2].map(() => user.client.call(enableTwoFactor, { code })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const on = { status: 409, body: { error: 'Two-factor sign-in is already on.' } }
    expect(await user.client.call(beginTwoFactor, { password })).toMatchObject(on)
    expect(await user.client.call(enableTwoFactor, { code: nextCode() })).toMatchObject(on)
    expect(await state()).toMatchObject({ recoveryCodesLeft: RECOVERY_CODES })
  })
})

describe('signing in with two-factor sign-in on', () => {
  it('returns a challenge for the password and a session for the challenge with a code', async () => {
    await turnOn()
    const first = await signIn()
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ twoFactorRequired: true, challenge: expect.any(String) })
    expect((await new TestClient(app.app, first.body.challenge).call(getAccountStatus, {})).status).toBe(401)
    const second = await enter(nextCode(), (await signIn()).body.challenge)
    expect(second.status).toBe(200)
    expect(second.body).toEqual({ token: expect.any(String), planName: 'free', planId: 0, email: user.email })
    expect((await new TestClient(app.app, second.body.token).call(getAccountStatus, {})).status).toBe(200)
  })

  it('reports a wrong password or a missing activation before asking for a code', async () => {
    await turnOn()
    expect(await signIn('Wrong-horse-7')).toMatchObject({ status: 401, body: { code: 'incorrect_credentials' } })
    const given = await challenge()
    await app.services.db.updateTable('users').set({ activated_at: null }).where('id', '=', user.id).execute()
    expect(await signIn()).toMatchObject({ status: 403, body: { code: 'not_activated', resendOption: true } })
    expect(await enter(nextCode(), given)).toMatchObject({ status: 403, body: { code: 'not_activated' } })
  })

  it('accepts a code from one time step before or after, and each code only once', async () => {
    await turnOn()
    app.clock.advance(10 * STEP)
    expect((await enter(codeNow(-2))).status).toBe(403)
    expect((await enter(codeNow(2))).status).toBe(403)
    expect((await enter(codeNow(-1))).status).toBe(200)
    expect(await enter(codeNow(-1))).toMatchObject(wrong)
    expect((await enter(codeNow(1))).status).toBe(200)
    // The later code used up this one.
    expect(await enter(codeNow())).toMatchObject(wrong)
  })

  it('rejects the code that turned on two-factor sign-in', async () => {
    await turnOn()
    expect(await enter(codeNow())).toMatchObject(wrong)
  })

  it('accepts a code for only one of two concurrent sign-ins', async () => {
    await turnOn()
    const challenges = [await challenge(), await challenge()]
    const code = nextCode()
    const responses = await Promise.all(challenges.map((given) => enter(code, given)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  it('accepts a recovery code once, regardless of case, spaces and hyphens', async () => {
    const [one = '', two = ''] = await turnOn()
    expect((await enter(` ${one.toLowerCase()} `)).status).toBe(200)
    expect(await enter(one)).toMatchObject(wrong)
    const challenges = [await challenge(), await challenge()]
    const responses = await Promise.all(challenges.map((given) => enter(two.replaceAll('-', ''), given)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await state()).toMatchObject({ recoveryCodesLeft: RECOVERY_CODES - 2 })
  })

  it('rejects another user’s code and recovery code', async () => {
    const other = await app.createUser()
    const [others = ''] = await turnOn(other)
    const othersTotp = totp
    await turnOn()
    app.clock.advance(2 * STEP)
    expect(await enter(othersTotp.generate({ timestamp: app.clock.now() }))).toMatchObject(wrong)
    expect(await enter(others)).toMatchObject(wrong)
  })

  it('accepts a challenge once within ten minutes, even after a wrong code', async () => {
    await turnOn()
    const given = await challenge()
    expect(await enter('000000', given)).toMatchObject(wrong)
    expect((await enter(nextCode(), given)).status).toBe(200)
    expect(await enter(nextCode(), given)).toMatchObject(expired)
    const late = await challenge()
    app.clock.advance(TWO_FACTOR_CHALLENGE_TTL)
    expect(await enter(codeNow(), late)).toMatchObject(expired)
    for (const bad of ['x', late.slice(1), `${late}x`]) expect(await enter(codeNow(), bad)).toMatchObject(expired)
    await sweepSessions(app.services)
    const left = await app.services.db.selectFrom('challenges').select('hash').where('user_id', '=', user.id).execute()
    expect(left).toEqual([])
  })

  it('ends pending sign-ins when the password changes and keeps two-factor sign-in on', async () => {
    await turnOn()
    let given = await challenge()
    await user.client.call(updatePassword, { currentPassword: password, newPassword: 'Another-horse-8' })
    expect(await enter(nextCode(), given)).toMatchObject(expired)
    given = (await signIn('Another-horse-8')).body.challenge
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    await app.visitor.call(resetPassword, { resetToken, newPassword: 'Third1horse$' })
    expect(await enter(nextCode(), given)).toMatchObject(expired)
    expect((await signIn('Third1horse$')).body).toMatchObject({ twoFactorRequired: true })
  })

  it('blocks further codes after ten wrong ones per account across all networks', async () => {
    const [recovery = ''] = await turnOn()
    const given = await challenge()
    const statuses: number[] = []
    for (let time = 0; time <= MAX_WRONG_CODES; time++) {
      const from = { 'x-forwarded-for': `198.51.100.${time}` }
      const response = await app.visitor.raw(loginWithCode, { challenge: given, code: '000000' }, from)
      statuses.push(response.status)
    }
    expect(statuses).toEqual([...Array(MAX_WRONG_CODES).fill(403), 429])
    const good = await app.visitor.raw(loginWithCode, { challenge: given, code: recovery })
    expect(good.status).toBe(429)
    expect(Number(good.headers['retry-after'])).toBeGreaterThan(800)
    expect((await user.client.call(disableTwoFactor, { password, code: nextCode() })).status).toBe(429)
    const other = user
    user = await app.createUser()
    await turnOn()
    expect((await enter(nextCode())).status).toBe(200)
    expect(other.id).not.toBe(user.id)
  })

  it('allows only ten wrong codes when many are entered concurrently', async () => {
    await turnOn()
    const given = await challenge()
    const responses = await Promise.all(Array.from({ length: 25 }, () => enter('000000', given)))
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(MAX_WRONG_CODES)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(25 - MAX_WRONG_CODES)
  })

  it('resets the count of wrong codes after a correct code', async () => {
    await turnOn()
    for (let round = 0; round < 2; round++) {
      const given = await challenge()
      for (let time = 1; time < MAX_WRONG_CODES; time++) expect(await enter('000000', given)).toMatchObject(wrong)
      expect((await enter(nextCode(), given)).status).toBe(200)
    }
  })
})

describe('turning off two-factor sign-in', () => {
  it('turns off two-factor sign-in only with the password and a code', async () => {
    await turnOn()
    const given = await challenge()
    expect(await user.client.call(disableTwoFactor, { password: 'Wrong-horse-7', code: nextCode() })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
    expect(await user.client.call(disableTwoFactor, { password, code: '000000' })).toMatchObject(wrong)
    expect((await user.client.raw(disableTwoFactor, { password })).status).toBe(400)
    expect(await state()).toMatchObject({ isEnabled: true })
    const off = await user.client.call(disableTwoFactor, { password, code: codeNow() })
    expect(off).toMatchObject({ status: 200, body: { message: 'Two-factor sign-in is off.' } })
    expect(await state()).toEqual({ isEnabled: false, enabledAt: null, recoveryCodesLeft: 0 })
    expect(await enter(nextCode(), given)).toMatchObject(expired)
    expect((await signIn()).body).toHaveProperty('token')
    expect((await subjects()).at(-1)).toBe('Two-factor sign-in was turned off - Alcove')
  })

  it('turns off two-factor sign-in once with a recovery code under concurrent requests', async () => {
    const [one = '', two = ''] = await turnOn()
    const both = await Promise.all([one, two].map((code) => user.client.call(disableTwoFactor, { password, code })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([403, 409])])
    expect(await user.client.call(disableTwoFactor, { password, code: two })).toMatchObject({
      status: 409,
      body: { error: 'Two-factor sign-in is off.' },
    })
  })

  it('rejects old recovery codes after two-factor sign-in is turned on again', async () => {
    const [old = ''] = await turnOn()
    await user.client.call(disableTwoFactor, { password, code: nextCode() })
    app.clock.advance(STEP)
    await turnOn()
    expect(await enter(old)).toMatchObject(wrong)
  })
})

describe('renewing the recovery codes', () => {
  it('renews recovery codes only with the password and a code and invalidates the old ones', async () => {
    const [first = '', second = ''] = await turnOn()
    expect((await user.client.call(renewRecoveryCodes, { password: 'Wrong-horse-7', code: first })).status).toBe(403)
    expect(await user.client.call(renewRecoveryCodes, { password, code: '000000' })).toMatchObject(wrong)
    const renewed = await user.client.call(renewRecoveryCodes, { password, code: first })
    expect(new Set(renewed.body.recoveryCodes).size).toBe(RECOVERY_CODES)
    expect(await state()).toMatchObject({ recoveryCodesLeft: RECOVERY_CODES })
    expect(await enter(second)).toMatchObject(wrong)
    expect((await enter(renewed.body.recoveryCodes[9] as string)).status).toBe(200)
    expect((await subjects()).at(-1)).toBe('Your recovery codes were replaced - Alcove')
  })

  it('rejects a renewal of the recovery codes when two-factor sign-in is off', async () => {
    const response = await user.client.call(renewRecoveryCodes, { password, code: '123456' })
    expect(response).toMatchObject({ status: 409, body: { error: 'Two-factor sign-in is off.' } })
  })
})
