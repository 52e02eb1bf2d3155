import {
  forgotPassword,
  getAccountStatus,
  login,
  resetPassword,
  type SignedIn,
  validatePassword,
} from '@alcove/contract/accounts'
import { RESET_TTL } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readToken, readTokens } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { resetMailJob } from '../mails.ts'
import { sweepSessions } from '../sessions/sweep-sessions.ts'

const NEW_PASSWORD = 'Another1horse$'
const INVALID = 'Invalid or expired token. Please request a new password reset link.'
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

async function requestLink(): Promise<string> {
  expect((await app.visitor.call(forgotPassword, { email: user.email })).status).toBe(200)
  return readToken(app, 'reset-password', user.email)
}
const reset = (resetToken: string, newPassword = NEW_PASSWORD) =>
  app.visitor.call(resetPassword, { resetToken, newPassword })
const signIn = (password: string) => app.visitor.raw<SignedIn>(login, { email: user.email, password })

describe('requesting a reset link', () => {
  it('mails a reset link and returns the message as the first key of the response', async () => {
    const response = await app.visitor.call(forgotPassword, { email: user.email.toUpperCase() })
    expect(response.status).toBe(200)
    expect(Object.values(response.body)[0]).toBe(
      'If this address has an account, an email with a reset link is on its way.',
    )
    const [mail] = (await app.readMails()).filter((each) => each.includes(user.email))
    expect(mail).toContain('Subject: Reset your Alcove password\n')
    const token = await readToken(app, 'reset-password', user.email)
    expect(mail).toContain(`\n${app.services.config.publicUrl}/reset-password?token=${token}\n`)
  })

  it('returns the same response for an unknown address and sends no mail', async () => {
    const known = await app.visitor.call(forgotPassword, { email: user.email })
    const before = (await app.readMails()).length
    const unknown = await app.visitor.call(forgotPassword, { email: 'nobody@example.com' })
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(await app.readMails()).toHaveLength(before)
  })

  it('queues the same job for an unknown address before it responds', async () => {
    app.services.jobs.handle(resetMailJob, async () => {
      throw new Error('fails so that the job stays in the queue')
    })
    try {
      await app.visitor.call(forgotPassword, { email: user.email })
      await app.visitor.call(forgotPassword, { email: 'nobody@example.com' })
      const jobs = await app.services.db.selectFrom('jobs').select(['kind', 'payload']).orderBy('payload').execute()
      expect(jobs.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([
        ['reset mail', { userId: user.id }],
        ['reset mail', { userId: null }],
      ])
    } finally {
      await app.close()
      app = await createTestApp()
    }
  })
})

describe('a reset link', () => {
  it('validates a reset token without using it up', async () => {
    const resetToken = await requestLink()
    for (let time = 0; time < 3; time++) {
      const response = await app.visitor.call(validatePassword, { resetToken })
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ message: 'Token is valid. You can reset your password.' })
    }
    expect((await reset(resetToken)).status).toBe(200)
  })

  it('rejects a reset token after one hour', async () => {
    const resetToken = await requestLink()
    app.clock.advance(RESET_TTL - 1)
    expect((await app.visitor.call(validatePassword, { resetToken })).status).toBe(200)
    app.clock.advance(1)
    const checked = await app.visitor.call(validatePassword, { resetToken })
    expect(checked.status).toBe(400)
    expect(checked.body).toEqual({ error: INVALID, message: INVALID, code: 'invalid_token' })
    const used = await reset(resetToken)
    expect(used.status).toBe(400)
    expect(used.body.code).toBe('invalid_token')
    expect((await signIn(TEST_PASSWORD)).status).toBe(200)
  })

  it('rejects an unknown reset token and an activation token', async () => {
    const waiting = await app.createUser({ isActivated: false })
    await app.visitor.request({ method: 'POST', url: '/api/resend-activation', payload: { email: waiting.email } })
    for (const resetToken of ['x', 'a/b?c#d%', await readToken(app, 'activate', waiting.email)]) {
      expect((await app.visitor.call(validatePassword, { resetToken })).body.error).toBe(INVALID)
      expect((await reset(resetToken)).body.error).toBe(INVALID)
    }
  })

  it('deletes an expired reset token when sessions are swept', async () => {
    await requestLink()
    app.clock.advance(RESET_TTL)
    await sweepSessions(app.services)
    const left = await app.services.db.selectFrom('one_time_tokens').selectAll().execute()
    expect(left.filter((row) => row.user_id === user.id)).toEqual([])
  })
})

describe('resetting the password', () => {
  it('replaces the old password with the new one', async () => {
    const response = await reset(await requestLink())
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'Your password has been reset.' })
    expect((await signIn(TEST_PASSWORD)).status).toBe(401)
    expect((await signIn(NEW_PASSWORD)).status).toBe(200)
  })

  it('ends every session of the account and no session of other accounts', async () => {
    const other = await app.createUser()
    const { token } = (await signIn(TEST_PASSWORD)).body
    await reset(await requestLink())
    expect((await user.client.call(getAccountStatus, {})).status).toBe(401)
    expect((await new TestClient(app.app, token).call(getAccountStatus, {})).status).toBe(401)
    expect((await other.client.call(getAccountStatus, {})).status).toBe(200)
  })

  it('invalidates a session opened with the old password during the reset', async () => {
    for (let round = 0; round < 8; round++) {
      user = await app.createUser()
      const resetToken = await requestLink()
      const [signedIn, changed] = await Promise.all([signIn(TEST_PASSWORD), reset(resetToken)])
      expect(changed.status).toBe(200)
      const after = await new TestClient(app.app, signedIn.body.token).call(getAccountStatus, {})
      expect(after.status).toBe(401)
    }
  })

  it('accepts a reset link once and invalidates the other links of the account', async () => {
    await requestLink()
    await requestLink()
    const [first, second] = (await readTokens(app, 'reset-password', user.email)) as [string, string]
    expect((await reset(first)).status).toBe(200)
    for (const token of [first, second]) {
      const again = await reset(token, 'Third1horse$')
      expect(again.status).toBe(400)
      expect(again.body).toEqual({ error: INVALID, message: INVALID, code: 'invalid_token' })
    }
    expect((await signIn(NEW_PASSWORD)).status).toBe(200)
  })

  it('accepts only one of two concurrent resets with the same link', async () => {
    const resetToken = await requestLink()
    const passwords = ['First1horse$', 'Second1horse$']
    const responses = await Promise.all(passwords.map((each) => reset(resetToken, each)))
    const statuses = responses.map(({ status }) => status)
    expect([...statuses].sort()).toEqual([200, 400])
    const signIns = await Promise.all(passwords.map(signIn))
    expect(signIns.map(({ status }) => status)).toEqual(statuses.map((status) => (status === 200 ? 200 : 401)))
  })

  it('accepts only one of two concurrent resets with different links', async () => {
    await requestLink()
    await requestLink()
    const tokens = await readTokens(app, 'reset-password', user.email)
    const responses = await Promise.all(tokens.map((token) => reset(token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('accepts a token in the body only if it equals the token in the path', async () => {
    const resetToken = await requestLink()
    const other = { resetToken, token: 'another', newPassword: NEW_PASSWORD }
    const refused = await app.visitor.call(resetPassword, other)
    expect(refused.status).toBe(400)
    expect(refused.body.code).toBe('malformed')
    const same = { resetToken, token: resetToken, newPassword: NEW_PASSWORD }
    expect((await app.visitor.call(resetPassword, same)).status).toBe(200)
  })

  it('enforces the reset password rules without using up the link', async () => {
    const resetToken = await requestLink()
    const rule = 'Password must contain at least 8 characters, 1 uppercase letter, 1 lowercase letter, and 1 symbol.'
    for (const bad of [
      '',
      'Short1$',
      'noupper1$',
      'NOLOWER1$',
      'NoDigits$',
      'NoSymbol1',
      'Other-symbol1',
      'Blank 1$x',
      7,
    ]) {
      const response = await app.visitor.raw(resetPassword, { resetToken, newPassword: bad })
      expect(response.status, String(bad)).toBe(400)
      expect(response.body.error).toBe(rule)
    }
    const long = await app.visitor.raw(resetPassword, { resetToken, newPassword: `Aa1$${'x'.repeat(300)}` })
    expect(long.status).toBe(400)
    expect(long.body.error).toBe('Password must be at most 256 characters long.')
    expect((await reset(resetToken)).status).toBe(200)
  })

  it('does not activate an account whose password is reset', async () => {
    user = await app.createUser({ isActivated: false })
    expect((await reset(await requestLink())).status).toBe(200)
    expect((await signIn(NEW_PASSWORD)).status).toBe(403)
  })

  it('notifies the owner by mail that the password was changed', async () => {
    await reset(await requestLink())
    const last = (await app.readMails()).at(-1)
    expect(last).toContain(`\nTo: ${user.email}\n`)
    expect(last).toContain('Subject: Your Alcove password was changed\n')
    expect(last).toContain(app.services.config.supportEmail)
  })
})
