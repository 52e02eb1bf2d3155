import { forgotPassword, login, resendActivation, resetPasswordCall } from '@alcove/contract/accounts'
import type { AnyCall } from '@alcove/contract/call'
import { MAX_FAILED_LOGINS, MAX_MAILS_PER_ADDRESS } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TEST_PASSWORD, type TestUser } from '../../testing/factories.ts'
import { readToken, readTokens } from '../../testing/mails.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

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
  it('are refused after ten, the right password too, and the answer says how long to wait', async () => {
    expect(await fail(MAX_FAILED_LOGINS)).toEqual(Array(MAX_FAILED_LOGINS).fill(401))
    const answer = await signIn(TEST_PASSWORD)
    expect(answer.status).toBe(429)
    expect(answer.body).toEqual({
      error: expect.stringMatching(/^Too many attempts\. Please try again in 15 minutes\.$/),
      message: answer.body.error,
      code: 'too_many_requests',
    })
    const wait = Number(answer.headers['retry-after'])
    expect(wait).toBeGreaterThan(880)
    expect(wait).toBeLessThanOrEqual(900)
  })

  it('are counted alike for an unknown address', async () => {
    const statuses = await fail(MAX_FAILED_LOGINS + 1, 'nobody@example.com')
    expect(statuses).toEqual([...Array(MAX_FAILED_LOGINS).fill(401), 429])
  })

  it('count for one address from one place', async () => {
    await fail(MAX_FAILED_LOGINS)
    expect((await signIn(TEST_PASSWORD, '198.51.100.7')).status).toBe(200)
    const other = await app.createUser()
    expect((await signIn(TEST_PASSWORD, ip, other.email)).status).toBe(200)
  })

  it('count for all addresses of one IPv6 network together, since a caller has them all', async () => {
    const from = (host: number) => `2001:db8:0:${visits.toString(16)}:${host.toString(16)}::7`
    for (let host = 0; host < MAX_FAILED_LOGINS; host++)
      expect((await signIn('Wrong-horse-7', from(host))).status).toBe(401)
    expect((await signIn(TEST_PASSWORD, from(0xffff))).status).toBe(429)
    expect((await signIn(TEST_PASSWORD, `2001:db8:1:${visits.toString(16)}::7`)).status).toBe(200)
  })

  it('count whatever the case of the address', async () => {
    await fail(MAX_FAILED_LOGINS)
    expect((await signIn(TEST_PASSWORD, ip, user.email.toUpperCase())).status).toBe(429)
  })

  it('are forgotten after a successful one', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await fail(MAX_FAILED_LOGINS - 1)).not.toContain(429)
      expect((await signIn(TEST_PASSWORD)).status).toBe(200)
    }
  })

  it('are forgotten after a password reset', async () => {
    await fail(MAX_FAILED_LOGINS)
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    const input = { resetToken, newPassword: 'Another1horse$' }
    await app.visitor.raw(resetPasswordCall, input, { 'x-forwarded-for': ip })
    expect((await signIn('Another1horse$')).status).toBe(200)
  })

  it('are no more than ten when many are tried at once', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => signIn('Wrong-horse-7')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(MAX_FAILED_LOGINS)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25 - MAX_FAILED_LOGINS)
  })

  it('are not what a sign-in before the activation is', async () => {
    user = await app.createUser({ isActivated: false })
    for (let time = 0; time < MAX_FAILED_LOGINS + 2; time++) expect((await signIn(TEST_PASSWORD)).status).toBe(403)
  })

  it('are not limited where rate limits are off', async () => {
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

describe.each([
  ['activation', resendActivation, 'activate'],
  ['reset', forgotPassword, 'reset-password'],
] as const)('%s mails', (_kind, call: AnyCall, page) => {
  it('are limited for an address, known or not, from wherever they are asked for', async () => {
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
