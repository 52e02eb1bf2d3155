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
  it('answers with a token that opens the account, and the plan', async () => {
    const response = await signIn()
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ token: expect.any(String), planName: 'free', planId: 0, email: user.email })
    const client = new TestClient(app.app, response.body.token)
    expect((await client.call(getAccountStatus, {})).body).toEqual({ isActivated: true })
  })

  it('takes the address in any case and with blanks around it, the password as it is', async () => {
    expect((await signIn(` ${user.email.toUpperCase()} `)).status).toBe(200)
    expect((await signIn(user.email, TEST_PASSWORD.toLowerCase())).status).toBe(401)
    expect((await signIn(user.email, `${TEST_PASSWORD} `)).status).toBe(401)
  })

  it('answers alike for a wrong password and an unknown address', async () => {
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

  it('does the same work for an unknown address as for a wrong password', async () => {
    // What checks passwords is watched, by an app that is read anew with that.
    vi.resetModules()
    vi.doMock('@node-rs/argon2', { spy: true })
    const { verify } = vi.mocked(await import('@node-rs/argon2'))
    const watched = await (await import('../../../testing/engines/test-app.ts')).createTestApp()
    try {
      const effortOf = async (email: string) => {
        verify.mockClear()
        const wrong = await watched.visitor.raw<SignedIn>(login, { email, password: 'Wrong-horse-7' })
        expect(wrong.status).toBe(401)
        // A hash begins with the kind and the costs; the salt and the digest come after.
        return verify.mock.calls.map(([hash]) => String(hash).split('$').slice(1, 4))
      }
      const effort = await effortOf((await watched.createUser()).email)
      expect(effort).toEqual([['argon2id', 'v=19', 'm=19456,t=2,p=1']])
      expect(await effortOf('nobody@example.com')).toEqual(effort)
    } finally {
      await watched.close()
      vi.doUnmock('@node-rs/argon2')
      vi.resetModules()
    }
  })

  it('tells who knows the password, and nobody else, that the account is not activated', async () => {
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

  it('says what is malformed with one sentence', async () => {
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

  it('can be done on many devices at once', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => signIn()))
    const tokens = new Set(responses.map(({ body }) => body.token))
    expect(tokens.size).toBe(5)
    for (const token of tokens) expect(await statusOf(token)).toBe(200)
  })
})

describe('the account status', () => {
  it('says whether the account is activated', async () => {
    const waiting = await app.createUser({ isActivated: false })
    expect((await waiting.client.call(getAccountStatus, {})).body).toEqual({ isActivated: false })
    await app.visitor.request({ method: 'POST', url: '/api/resend-activation', payload: { email: waiting.email } })
    await app.visitor.call(activate, { token: await readToken(app, 'activate', waiting.email) })
    expect((await waiting.client.call(getAccountStatus, {})).body).toEqual({ isActivated: true })
  })

  it('is for signed-in users', async () => {
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
  it('ends this session and no other', async () => {
    const [one, other] = [await signIn(), await signIn()]
    const client = new TestClient(app.app, one.body.token)
    const response = await client.call(logout, {})
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'You are signed out.' })
    expect((await client.call(getAccountStatus, {})).status).toBe(401)
    expect((await client.call(logout, {})).status).toBe(401)
    expect(await statusOf(other.body.token)).toBe(200)
  })

  it('needs no body, whatever content type is named', async () => {
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
  it('ends when it has not been used for a week', async () => {
    const { token } = (await signIn()).body
    app.clock.advance(7 * DAY - 1)
    const second = (await signIn()).body.token
    app.clock.advance(1)
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(second)).toBe(200)
  })

  it('is extended by use', async () => {
    const { token } = (await signIn()).body
    for (let day = 0; day < 30; day += 6) {
      app.clock.advance(6 * DAY)
      expect(await statusOf(token)).toBe(200)
    }
    app.clock.advance(7 * DAY)
    expect(await statusOf(token)).toBe(401)
  })

  it('ends at its maximum age, however much it is used', async () => {
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
    // Use is still noted, but not more often than before.
    expect(row?.last_used_at).toBe(app.clock.now())
    app.clock.advance(1)
    expect(await statusOf(token)).toBe(401)
  })

  it('ends at a maximum age that was lowered after it began', async () => {
    const strict = await createTestApp({ sessionTtl: 30 * DAY, sessionMaxAge: 10 * DAY })
    try {
      const { id, client } = await strict.createUser()
      expect((await client.call(getAccountStatus, {})).status).toBe(200)
      // As it was written under the higher limit.
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

  it('never outlives its maximum age from the start', async () => {
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

  it('cannot be made up, changed or taken to another account', async () => {
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
    const madeUp = await signSessionToken(new TextEncoder().encode('another key, thirty-two bytes long'), claims)
    const swapped = await signSessionToken(app.services.secrets.sessionKey, claims)
    for (const bad of ['x', '', `${token}x`, `${header}.${payload}.`, unsigned, madeUp, swapped]) {
      expect(await statusOf(bad), bad).toBe(401)
    }
  })

  it('is swept away once it has expired, and one that lives is not', async () => {
    const { db } = app.services
    await signIn()
    app.clock.advance(7 * DAY)
    const { token } = (await signIn()).body
    await sweepSessions(app.services)
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toHaveLength(1)
    expect(await statusOf(token)).toBe(200)
  })
})
