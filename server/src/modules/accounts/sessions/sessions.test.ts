import { activate, getAccountStatus, login, logout, type SignedIn } from '@alcove/contract/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { signSessionToken } from '../../../platform/crypto/session-token.ts'
import { TestClient } from '../../../testing/clients/client.ts'
import { readToken } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { sweepSessions } from './sweep-sessions.ts'

const DAY = 86_400_000
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

const signIn = (email = user.email, password = TEST_PASSWORD) => app.visitor.raw<SignedIn>(login, { email, password })
const statusOf = async (token: string) => (await new TestClient(app.app, token).call(getAccountStatus, {})).status

describe('signing in', () => {
  it('returns a working session token and the plan', async () => {
    const response = await signIn()
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ token: expect.any(String), planName: 'free', planId: 0, email: user.email })
    const client = new TestClient(app.app, response.body.token)
    expect((await client.call(getAccountStatus, {})).body).toEqual({ isActivated: true })
  })

  it('ignores case and surrounding spaces in the email address but not in the password', async () => {
    expect((await signIn(` ${user.email.toUpperCase()} `)).status).toBe(200)
    expect((await signIn(user.email, TEST_PASSWORD.toLowerCase())).status).toBe(401)
    expect((await signIn(user.email, `${TEST_PASSWORD} `)).status).toBe(401)
  })

  it('returns the same error for a wrong password and an unknown email address', async () => {
    const wrong = await signIn(user.email, 'Wrong-horse-7')
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({
      error: 'Incorrect username/password.',
      message: 'Incorrect username/password.',
      code: 'incorrect_credentials',
    })
    const unknown = await signIn('nobody@example.com', TEST_PASSWORD)
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual(wrong.body)
  })

  it('verifies a hash of equal cost for an unknown address and a wrong password', async () => {
    // Loads the app again with a spy on the function that verifies passwords.
    vi.resetModules()
    vi.doMock('@node-rs/argon2', { spy: true })
    const { verify } = vi.mocked(await import('@node-rs/argon2'))
    const spiedApp = await (await import('../../../testing/engines/test-app.ts')).createTestApp()
    try {
      const verifiedHashesOf = async (email: string) => {
        verify.mockClear()
        const wrong = await spiedApp.visitor.raw<SignedIn>(login, { email, password: 'Wrong-horse-7' })
        expect(wrong.status).toBe(401)
        // A hash starts with the algorithm and its parameters, followed by the salt and the digest.
        return verify.mock.calls.map(([hash]) => String(hash).split('$').slice(1, 4))
      }
      const hashes = await verifiedHashesOf((await spiedApp.createUser()).email)
      expect(hashes).toEqual([['argon2id', 'v=19', 'm=19456,t=2,p=1']])
      expect(await verifiedHashesOf('nobody@example.com')).toEqual(hashes)
    } finally {
      await spiedApp.close()
      vi.doUnmock('@node-rs/argon2')
      vi.resetModules()
    }
  })

  it('reveals that an account is not activated only if the password is correct', async () => {
    const waiting = await app.createUser({ isActivated: false })
    const response = await signIn(waiting.email)
    expect(response.status).toBe(403)
    expect(response.body).toEqual({
      error: 'Account not activated.',
      message: 'Account not activated.',
      code: 'not_activated',
      resendOption: true,
    })
    const wrong = await signIn(waiting.email, 'Wrong-horse-7')
    expect(wrong.status).toBe(401)
    expect(wrong.body).not.toHaveProperty('resendOption')
  })

  it('rejects malformed credentials with a single error message', async () => {
    const malformed = [
      {},
      { email: user.email },
      { password: TEST_PASSWORD },
      { email: '', password: '' },
      { email: ' ', password: TEST_PASSWORD },
      { email: user.email, password: '' },
      { email: user.email, password: '   ' },
      { email: 'no address', password: TEST_PASSWORD },
      { email: 7, password: TEST_PASSWORD },
      { email: user.email, password: 7 },
      { email: null, password: null },
      { email: [user.email], password: { $ne: '' } },
      { email: user.email, password: 'x'.repeat(257) },
      { email: `${'x'.repeat(300)}@example.com`, password: TEST_PASSWORD },
    ]
    for (const input of malformed) {
      const response = await app.visitor.raw(login, input)
      expect(response.status, JSON.stringify(input)).toBe(400)
      expect(response.body).toEqual({ error: 'Login failed.', message: 'Login failed.', code: 'malformed' })
    }
  })

  it('opens a separate session for each of several concurrent sign-ins', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => signIn()))
    const tokens = new Set(responses.map(({ body }) => body.token))
    expect(tokens.size).toBe(5)
    for (const token of tokens) expect(await statusOf(token)).toBe(200)
  })
})

describe('the account status', () => {
  it('reports whether the account is activated', async () => {
    const waiting = await app.createUser({ isActivated: false })
    expect((await waiting.client.call(getAccountStatus, {})).body).toEqual({ isActivated: false })
    await app.visitor.request({ method: 'POST', url: '/api/resend-activation', payload: { email: waiting.email } })
    await app.visitor.call(activate, { token: await readToken(app, 'activate', waiting.email) })
    expect((await waiting.client.call(getAccountStatus, {})).body).toEqual({ isActivated: true })
  })

  it('rejects an account status request without a session', async () => {
    const response = await app.visitor.call(getAccountStatus, {})
    expect(response.status).toBe(401)
    expect(response.body).toEqual({
      error: 'Your session has expired.',
      message: 'Your session has expired.',
      code: 'unauthenticated',
    })
  })
})

describe('signing out', () => {
  it('ends only the current session', async () => {
    const [one, other] = [await signIn(), await signIn()]
    const client = new TestClient(app.app, one.body.token)
    const response = await client.call(logout, {})
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'You are signed out.' })
    expect((await client.call(getAccountStatus, {})).status).toBe(401)
    expect((await client.call(logout, {})).status).toBe(401)
    expect(await statusOf(other.body.token)).toBe(200)
  })

  it('accepts a sign-out without a body, with or without a JSON content type', async () => {
    for (const headers of [undefined, { 'content-type': 'application/json' }]) {
      const { token } = (await signIn()).body
      const client = new TestClient(app.app, token)
      expect((await client.request({ method: 'POST', url: '/api/logout', ...(headers && { headers }) })).status).toBe(
        200,
      )
      expect(await statusOf(token)).toBe(401)
    }
  })
})

describe('a session', () => {
  it('ends a session that was not used for a week', async () => {
    const { token } = (await signIn()).body
    app.clock.advance(7 * DAY - 1)
    const second = (await signIn()).body.token
    app.clock.advance(1)
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(second)).toBe(200)
  })

  it('extends a session when it is used', async () => {
    const { token } = (await signIn()).body
    for (let day = 0; day < 30; day += 6) {
      app.clock.advance(6 * DAY)
      expect(await statusOf(token)).toBe(200)
    }
    app.clock.advance(7 * DAY)
    expect(await statusOf(token)).toBe(401)
  })

  it('ends a session at its maximum age even if it is used every day', async () => {
    const { token } = (await signIn()).body
    for (let day = 1; day < 90; day++) {
      app.clock.advance(DAY)
      expect(await statusOf(token)).toBe(200)
    }
    app.clock.advance(DAY - 1)
    expect(await statusOf(token)).toBe(200)
    const { id } = user
    const row = await app.services.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('expires_at', 'desc')
      .executeTakeFirst()
    expect(row?.expires_at).toBe(app.clock.now() + 1)
    // The last use is still recorded, but not more often than before.
    expect(row?.last_used_at).toBe(app.clock.now())
    app.clock.advance(1)
    expect(await statusOf(token)).toBe(401)
  })

  it('applies a lowered maximum age to existing sessions', async () => {
    const strict = await createTestApp({ sessionTtl: 30 * DAY, sessionMaxAge: 10 * DAY })
    try {
      const { id, client } = await strict.createUser()
      expect((await client.call(getAccountStatus, {})).status).toBe(200)
      // Simulates a session that was stored under the higher limit.
      const expires_at = strict.clock.now() + 30 * DAY
      await strict.services.db.updateTable('sessions').set({ expires_at }).where('user_id', '=', id).execute()
      strict.clock.advance(10 * DAY)
      expect((await client.call(getAccountStatus, {})).status).toBe(401)
      await sweepSessions(strict.services)
      expect(await strict.services.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    } finally {
      await strict.close()
    }
  })

  it('ends a new session at the maximum age when the idle timeout is longer', async () => {
    const strict = await createTestApp({ sessionTtl: 30 * DAY, sessionMaxAge: 10 * DAY })
    try {
      const { email } = await strict.createUser()
      const { body } = await strict.visitor.raw<SignedIn>(login, { email, password: TEST_PASSWORD })
      strict.clock.advance(10 * DAY - 1)
      const client = new TestClient(strict.app, body.token)
      expect((await client.call(getAccountStatus, {})).status).toBe(200)
      strict.clock.advance(1)
      expect((await client.call(getAccountStatus, {})).status).toBe(401)
    } finally {
      await strict.close()
    }
  })

  it('rejects forged or modified tokens and a token with another user’s session', async () => {
    const { token } = (await signIn()).body
    const other = await app.createUser()
    const { id: sessionId } = await app.services.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const claims = { userId: other.id, sessionId }
    const [header, payload] = token.split('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    const forged = await signSessionToken(new TextEncoder().encode('another key, thirty-two bytes long'), claims)
    const swapped = await signSessionToken(app.services.secrets.sessionKey, claims)
    for (const bad of ['x', '', `${token}x`, `${header}.${payload}.`, unsigned, forged, swapped]) {
      expect(await statusOf(bad), bad).toBe(401)
    }
  })

  it('deletes expired sessions and keeps valid ones when sweeping', async () => {
    const { db } = app.services
    await signIn()
    app.clock.advance(7 * DAY)
    const { token } = (await signIn()).body
    await sweepSessions(app.services)
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toHaveLength(1)
    expect(await statusOf(token)).toBe(200)
  })
})
