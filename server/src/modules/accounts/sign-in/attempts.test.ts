import { forgotPassword, login, resendActivation, resetPassword, updatePassword } from '@alcove/contract/accounts'
import type { AnyCall } from '@alcove/contract/call'
import { MAX_FAILED_LOGINS, MAX_FAILURES_ANYWHERE, MAX_MAILS_PER_ADDRESS } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readToken, readTokens } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

let app: TestApp
let user: TestUser
let visits = 0
let ip: string

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
  visits += 1
  ip = `192.0.2.${visits}`
})

const signIn = (password: string, from = ip, email = user.email) =>
  app.visitor.raw(login, { email, password }, { 'x-forwarded-for': from })

async function fail(times: number, email?: string): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) statuses.push((await signIn('Wrong-horse-7', ip, email)).status)
  return statuses
}

describe('failed sign-ins', () => {
  it('blocks sign-ins after ten failures, even with the right password, and returns Retry-After', async () => {
    expect(await fail(MAX_FAILED_LOGINS)).toEqual(Array(MAX_FAILED_LOGINS).fill(401))
    const response = await signIn(TEST_PASSWORD)
    expect(response.status).toBe(429)
    expect(response.body).toEqual({
      error: expect.stringMatching(/^Too many attempts\. Please try again in 15 minutes\.$/),
      message: response.body.error,
      code: 'too_many_requests',
    })
    const wait = Number(response.headers['retry-after'])
    expect(wait).toBeGreaterThan(880)
    expect(wait).toBeLessThanOrEqual(900)
  })

  it('limits failed sign-ins equally for an unknown email address', async () => {
    const statuses = await fail(MAX_FAILED_LOGINS + 1, 'nobody@example.com')
    expect(statuses).toEqual([...Array(MAX_FAILED_LOGINS).fill(401), 429])
  })

  it('counts failed sign-ins separately for each email and IP address', async () => {
    await fail(MAX_FAILED_LOGINS)
    expect((await signIn(TEST_PASSWORD, '198.51.100.7')).status).toBe(200)
    const other = await app.createUser()
    expect((await signIn(TEST_PASSWORD, ip, other.email)).status).toBe(200)
  })

  it('counts failed sign-ins from all addresses of one IPv6 /64 network together', async () => {
    const from = (host: number) => `2001:db8:0:${visits.toString(16)}:${host.toString(16)}::7`
    for (let host = 0; host < MAX_FAILED_LOGINS; host++)
      expect((await signIn('Wrong-horse-7', from(host))).status).toBe(401)
    expect((await signIn(TEST_PASSWORD, from(0xffff))).status).toBe(429)
    expect((await signIn(TEST_PASSWORD, `2001:db8:1:${visits.toString(16)}::7`)).status).toBe(200)
  })

  it('allows four times as many failed sign-ins from an IPv6 /48 network as from a /64', async () => {
    const from = (net: number) => `2001:db8:${(0x1000 + visits).toString(16)}:${net.toString(16)}::7`
    const statuses: number[] = []
    for (let net = 0; net < MAX_FAILED_LOGINS * 4; net++)
      statuses.push((await signIn('Wrong-horse-7', from(net))).status)
    expect(statuses).toEqual(Array(MAX_FAILED_LOGINS * 4).fill(401))
    expect((await signIn(TEST_PASSWORD, from(0xffff))).status).toBe(429)
    expect((await signIn(TEST_PASSWORD, `2001:db8:${(0x2000 + visits).toString(16)}::7`)).status).toBe(200)
  })

  it('does not block other IPv6 /64 networks when one /64 reaches its limit', async () => {
    const from = (net: number) => `2001:db8:${(0x3000 + visits).toString(16)}:${net}::7`
    for (let time = 0; time < MAX_FAILED_LOGINS * 5; time++) await signIn('Wrong-horse-7', from(1))
    expect((await signIn(TEST_PASSWORD, from(2))).status).toBe(200)
  })

  it('counts failed sign-ins regardless of the case of the email address', async () => {
    await fail(MAX_FAILED_LOGINS)
    expect((await signIn(TEST_PASSWORD, ip, user.email.toUpperCase())).status).toBe(429)
  })

  it('resets the count of failed sign-ins after a successful sign-in', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await fail(MAX_FAILED_LOGINS - 1)).not.toContain(429)
      expect((await signIn(TEST_PASSWORD)).status).toBe(200)
    }
  })

  it('resets the count of failed sign-ins after a password reset', async () => {
    await fail(MAX_FAILED_LOGINS)
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    const input = { resetToken, newPassword: 'Another1horse$' }
    await app.visitor.raw(resetPassword, input, { 'x-forwarded-for': ip })
    expect((await signIn('Another1horse$')).status).toBe(200)
  })

  it('allows only ten failed sign-ins when many run concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 25 }, () => signIn('Wrong-horse-7')))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(MAX_FAILED_LOGINS)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(25 - MAX_FAILED_LOGINS)
  })

  it('does not count a correct password before activation as a failed sign-in', async () => {
    user = await app.createUser({ isActivated: false })
    for (let time = 0; time < MAX_FAILED_LOGINS + 2; time++) expect((await signIn(TEST_PASSWORD)).status).toBe(403)
  })

  it('does not limit failed sign-ins when rate limits are off', async () => {
    const lenient = await createTestApp()
    try {
      const statuses = new Set<number>()
      for (let time = 0; time < MAX_FAILED_LOGINS + 2; time++) {
        statuses.add((await lenient.visitor.call(login, { email: 'a@example.com', password: 'Wrong-horse-7' })).status)
      }
      expect([...statuses]).toEqual([401])
    } finally {
      await lenient.close()
    }
  })
})

describe('failed sign-ins from many networks', () => {
  /** Submits one wrong password from each of many networks, so that no limit per network applies. */
  async function guessFromManyNetworks(email: string): Promise<number[]> {
    const statuses: number[] = []
    for (let network = 0; network < MAX_FAILURES_ANYWHERE + 5; network++) {
      statuses.push((await signIn('Wrong-horse-7', `10.${visits}.${network}.1`, email)).status)
    }
    return statuses
  }
  const home = () => `172.16.${visits}.9`

  it('slows down sign-ins from unknown networks, but never from the owner’s known network', async () => {
    expect((await signIn(TEST_PASSWORD, home())).status).toBe(200)
    const statuses = await guessFromManyNetworks(user.email)
    expect(statuses.slice(0, MAX_FAILURES_ANYWHERE)).toEqual(Array(MAX_FAILURES_ANYWHERE).fill(401))
    expect(statuses.slice(MAX_FAILURES_ANYWHERE)).toEqual([401, 429, 429, 429, 429])
    const refused = await signIn(TEST_PASSWORD, '10.254.0.1')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(30)
    // Another device on the home network signs in after a typo.
    const otherDevice = `172.16.${visits}.10`
    expect((await signIn('Wrong-horse-7', otherDevice)).status).toBe(401)
    expect((await signIn(TEST_PASSWORD, otherDevice)).status).toBe(200)
    // The sign-in from a known network ended the slowdown.
    expect((await signIn(TEST_PASSWORD, '10.254.0.1')).status).toBe(200)
  })

  it('slows down sign-ins to an unknown email address equally', async () => {
    const statuses = await guessFromManyNetworks(`nobody-${visits}@example.com`)
    expect(statuses.slice(MAX_FAILURES_ANYWHERE)).toEqual([401, 429, 429, 429, 429])
  })

  it('allows only one attempt beyond the free ones when many run concurrently', async () => {
    const responses = await Promise.all(
      Array.from({ length: MAX_FAILURES_ANYWHERE + 20 }, (_, network) =>
        signIn('Wrong-horse-7', `10.${visits}.${network}.1`),
      ),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(MAX_FAILURES_ANYWHERE + 1)
  })

  it('does not count successful sign-ins from new networks', async () => {
    for (let network = 0; network < MAX_FAILURES_ANYWHERE + 5; network++) {
      expect((await signIn(TEST_PASSWORD, `10.${visits}.${network}.1`)).status).toBe(200)
    }
  })

  it('lets a signed-in user confirm the password during the slowdown', async () => {
    await guessFromManyNetworks(user.email)
    const input = { currentPassword: TEST_PASSWORD, newPassword: 'Another1horse$' }
    expect((await user.client.raw(updatePassword, input)).status).toBe(200)
  })

  it('ends the slowdown of sign-ins after a password reset', async () => {
    await guessFromManyNetworks(user.email)
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    const input = { resetToken, newPassword: 'Another1horse$' }
    await app.visitor.raw(resetPassword, input, { 'x-forwarded-for': '10.253.0.1' })
    expect((await signIn('Another1horse$', '10.253.0.1')).status).toBe(200)
  })
})

describe.each([
  ['activation', resendActivation, 'activate'],
  ['reset', forgotPassword, 'reset-password'],
] as const)('%s mails', (_kind, call: AnyCall, page) => {
  it('limits requested mails per address across networks, even for an unknown address', async () => {
    user = await app.createUser({ isActivated: false })
    for (const email of [user.email, `unknown-${ip}@example.com`]) {
      const statuses: number[] = []
      for (let time = 0; time <= MAX_MAILS_PER_ADDRESS; time++) {
        const from = { 'x-forwarded-for': `198.51.100.${time}` }
        statuses.push((await app.visitor.raw(call, { email }, from)).status)
      }
      expect(statuses).toEqual([...Array(MAX_MAILS_PER_ADDRESS).fill(200), 429])
    }
    expect(await readTokens(app, page, user.email)).toHaveLength(MAX_MAILS_PER_ADDRESS)
  })
})
