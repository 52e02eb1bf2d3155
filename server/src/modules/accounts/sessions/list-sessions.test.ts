import { randomUUID } from 'node:crypto'
import { getAccountStatus, login, register, type SignedIn } from '@alcove/contract/accounts'
import { endOtherSessions, endSession, listSessions } from '@alcove/contract/sessions'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { KNOWN_DEVICE_TTL } from '../sign-in/known-devices.ts'
import { sweepSessions } from './sweep-sessions.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const NEXT_FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1'
const MINUTE = 60_000
const HOME = '203.0.113.7'
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

async function signIn(userAgent = FIREFOX, ip = HOME, email = user.email): Promise<TestClient> {
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': ip }
  const { body } = await app.visitor.raw<SignedIn>(login, { email, password: TEST_PASSWORD }, headers)
  return new TestClient(app.app, body.token)
}
const list = async (client: TestClient) => (await client.call(listSessions, {})).body.sessions
const isOpen = async (client: TestClient) => (await client.call(getAccountStatus, {})).status === 200

describe('listing sessions', () => {
  it('lists device, IP address and times, the current session first, then by last use', async () => {
    const firefox = await signIn()
    app.clock.advance(MINUTE)
    await signIn(SAFARI, '198.51.100.9')
    const at = (ago: number) => new Date(app.clock.now() - ago).toISOString()
    const id = expect.any(String)
    expect(await list(firefox)).toEqual(
      [
        { id, device: 'Firefox on Linux', ip: HOME, createdAt: at(MINUTE), lastUsedAt: at(MINUTE), isCurrent: true },
        { id, device: 'Safari on iPhone', ip: '198.51.100.9', createdAt: at(0), lastUsedAt: at(0), isCurrent: false },
        { id, device: 'Unknown device', ip: null, createdAt: at(MINUTE), lastUsedAt: at(0), isCurrent: false },
      ].map((session) => ({ ...session, ...(session.ip === null && { lastUsedAt: expect.any(String) }) })),
    )
  })

  it('omits sessions of other users and expired sessions', async () => {
    const other = await app.createUser()
    expect(await list(other.client)).toHaveLength(1)
    app.clock.advance(app.services.config.sessionTtl)
    expect(await list(await signIn())).toHaveLength(1)
  })

  it('updates the last use and IP address of a session at most every ten minutes', async () => {
    const client = await signIn()
    const lastUse = async (ip: string) => {
      const { body } = await client.request<{ sessions: { lastUsedAt: string; ip: string }[] }>({
        method: 'GET',
        url: '/api/account/sessions',
        headers: { 'x-forwarded-for': ip },
      })
      const [current] = body.sessions
      return { minutesAgo: (app.clock.now() - Date.parse(current?.lastUsedAt ?? '')) / MINUTE, ip: current?.ip }
    }
    app.clock.advance(10 * MINUTE - 1)
    expect((await lastUse('198.51.100.1')).ip).toBe(HOME)
    app.clock.advance(1)
    expect(await lastUse('198.51.100.1')).toEqual({ minutesAgo: 0, ip: '198.51.100.1' })
    app.clock.advance(9 * MINUTE)
    expect(await lastUse('198.51.100.2')).toEqual({ minutesAgo: 9, ip: '198.51.100.1' })
  })
})

describe('ending a session', () => {
  it('ends the selected session and no other', async () => {
    const [one, two] = [await signIn(), await signIn()]
    const [current] = await list(one)
    expect(await two.call(endSession, { id: current?.id ?? '' })).toMatchObject({
      status: 200,
      body: { message: 'That browser is signed out.' },
    })
    expect([await isOpen(one), await isOpen(two)]).toEqual([false, true])
    expect(await two.call(endSession, { id: current?.id ?? '' })).toMatchObject({
      status: 404,
      body: { code: 'not_found', error: 'This session was not found.' },
    })
  })

  it('rejects another user’s session, an unknown id and a malformed id', async () => {
    const other = await app.createUser()
    const [theirs] = await list(other.client)
    for (const id of [theirs?.id ?? '', randomUUID()]) {
      expect((await user.client.call(endSession, { id })).status).toBe(404)
    }
    expect((await user.client.call(endSession, { id: 'x' })).status).toBe(400)
    expect(await isOpen(other.client)).toBe(true)
  })

  it('ends the current session on request', async () => {
    const client = await signIn()
    const [current] = await list(client)
    expect((await client.call(endSession, { id: current?.id ?? '' })).status).toBe(200)
    expect(await isOpen(client)).toBe(false)
  })
})

describe('ending the other sessions', () => {
  it('keeps the current session and returns the number of ended sessions', async () => {
    const other = await app.createUser()
    const [one, two] = [await signIn(), await signIn(SAFARI)]
    const response = await one.call(endOtherSessions, {})
    expect(response.body).toEqual({ message: 'You are signed out everywhere else.', count: 2 })
    const open = await Promise.all([one, two, user.client, other.client].map(isOpen))
    expect(open).toEqual([true, false, false, true])
    expect((await one.call(endOtherSessions, {})).body.count).toBe(0)
  })
})

describe('the new sign-in mail', () => {
  const subjects = () => readSubjects(app, user.email)
  const SUBJECT = 'New sign-in to your Alcove account'

  it('sends no mail for the first sign-in or for a known device and network', async () => {
    await signIn()
    await signIn(NEXT_FIREFOX, '203.0.113.200')
    await signIn()
    expect(await subjects()).toEqual([])
  })

  it('sends one mail for a new browser and one for a new network', async () => {
    await signIn()
    for (let time = 0; time < 2; time++) {
      await signIn(SAFARI)
      await signIn(FIREFOX, '198.51.100.9')
    }
    expect(await subjects()).toEqual([SUBJECT, SUBJECT])
    const mail = (await app.readMails()).at(-1)
    expect(mail).toContain('Firefox on Linux')
    expect(mail).toContain('198.51.100.9')
  })

  it('sends one mail for concurrent sign-ins from a new device', async () => {
    await signIn()
    await Promise.all([1, 2, 3].map(() => signIn(SAFARI)))
    expect(await subjects()).toEqual([SUBJECT])
  })

  it('sends no mail for failed sign-ins or other users’ sign-ins on the same device', async () => {
    await signIn()
    const other = await app.createUser()
    await signIn(SAFARI, HOME, other.email)
    await app.visitor.raw(login, { email: user.email, password: 'Wrong-horse-7' }, { 'user-agent': SAFARI })
    expect(await subjects()).toEqual([])
    await signIn(SAFARI)
    expect(await subjects()).toEqual([SUBJECT])
  })

  it('does not copy the raw user agent into the mail or the session list', async () => {
    await signIn()
    await signIn(`x${'y'.repeat(2000)}/1 <b>bold</b>`)
    expect((await app.readMails()).at(-1)).not.toContain('<b>bold</b>')
    expect((await list(user.client)).some(({ device }) => device.length > 60)).toBe(false)
  })

  it('sends the mail again for a device that was not used for a year', async () => {
    await signIn()
    await signIn(SAFARI)
    app.clock.advance(KNOWN_DEVICE_TTL / 2)
    await signIn()
    app.clock.advance(KNOWN_DEVICE_TTL / 2)
    await sweepSessions(app.services)
    await signIn(SAFARI)
    expect(await subjects()).toEqual([SUBJECT, SUBJECT])
  })

  it('sends no sign-in mail for the first sign-in after registering', async () => {
    const email = `${randomUUID()}@example.com`
    await app.visitor.call(register, { email, password: TEST_PASSWORD })
    await app.services.db.updateTable('users').set({ activated_at: 1 }).where('email', '=', email).execute()
    await signIn(SAFARI, HOME, email)
    expect(await readSubjects(app, email)).toEqual(['Activate your Alcove account'])
  })
})
