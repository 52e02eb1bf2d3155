import { readFile } from 'node:fs/promises'
import {
  activate,
  deleteAccount,
  forgotPassword,
  getDataUrl,
  login,
  logout,
  register,
  resetPassword,
  type SignedIn,
  updateEmail,
  updatePassword,
  validatePassword,
} from '@alcove/contract/accounts'
import { MAX_FAILED_LOGINS } from '@alcove/contract/limits'
import { endOtherSessions } from '@alcove/contract/sessions'
import { unlockPublicLink, updatePublicLink } from '@alcove/contract/sharing'
import { beginTwoFactor, disableTwoFactor, enableTwoFactor, loginWithCode } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestClient } from '../../testing/clients/client.ts'
import { readToken } from '../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../testing/factories/users.ts'

const DOCS = new URL('../../../../docs/operations/security-log.md', import.meta.url)
const FROM = { 'x-forwarded-for': '203.0.113.9' }
const wrong = 'Wrong-horse-7'
let app: TestApp
let user: TestUser
let lines: Record<string, unknown>[]

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
  for (const level of ['info', 'warn'] as const) {
    const write = app.services.log[level].bind(app.services.log)
    vi.spyOn(app.services.log, level).mockImplementation(((line: object, ...rest: []) => {
      // Other log calls pass a plain string.
      if (typeof line === 'object' && 'security' in line) lines.push({ ...line, level })
      write(line, ...rest)
    }) as never)
  }
})
afterAll(() => app.close())
beforeEach(async () => {
  lines = []
  user = await app.createUser()
})

const signIn = (password = TEST_PASSWORD, email = user.email) =>
  app.visitor.raw<SignedIn>(login, { email, password }, FROM)
const from = (client: TestClient, call: Parameters<TestClient['raw']>[0], input: Record<string, unknown> = {}) =>
  client.raw(call, input, FROM)
const line = (security: string, account: string | undefined = user.email, level = 'info') => ({
  security,
  address: '203.0.113.9',
  ...(account !== '' && { account }),
  level,
})

describe('the security log', () => {
  it('logs the account and IP address of each failed sign-in and rate limit', async () => {
    for (let time = 0; time <= MAX_FAILED_LOGINS; time++) await signIn(wrong)
    expect(lines).toEqual([
      ...Array(MAX_FAILED_LOGINS).fill(line('sign_in_failed', user.email, 'warn')),
      line('attempts_limited', user.email, 'warn'),
    ])
    lines = []
    await signIn(TEST_PASSWORD, 'nobody@example.com')
    expect(lines).toEqual([line('sign_in_failed', 'nobody@example.com', 'warn')])
  })

  it('logs one line for each account event from registration to deletion', async () => {
    const email = `log-${user.id}@example.com`
    await app.visitor.raw(register, { email, password: TEST_PASSWORD }, FROM)
    await app.visitor.raw(activate, { token: await readToken(app, 'activate', email) }, FROM)
    const client = new TestClient(app.app, (await signIn(TEST_PASSWORD, email)).body.token)
    await from(client, updatePassword, { currentPassword: wrong, newPassword: 'Another1horse$' })
    await from(client, updatePassword, { currentPassword: TEST_PASSWORD, newPassword: 'Another1horse$' })
    await from(client, endOtherSessions)
    await from(client, getDataUrl)
    await app.visitor.raw(forgotPassword, { email }, FROM)
    const resetToken = await readToken(app, 'reset-password', email)
    await app.visitor.raw(validatePassword, { resetToken: 'made-up' }, FROM)
    await app.visitor.raw(resetPassword, { resetToken, newPassword: 'Another2horse$' }, FROM)
    const again = new TestClient(app.app, (await signIn('Another2horse$', email)).body.token)
    const newEmail = `new-${email}`
    await from(again, updateEmail, { email, newEmail, password: 'Another2horse$' })
    await from(again, logout)
    await app.visitor.raw(activate, { token: await readToken(app, 'activate', newEmail) }, FROM)
    const last = new TestClient(app.app, (await signIn('Another2horse$', newEmail)).body.token)
    await from(last, deleteAccount)
    expect(lines).toEqual([
      line('registered', email),
      line('activated', email),
      line('signed_in', email),
      line('password_failed', email, 'warn'),
      line('password_changed', email),
      line('other_sessions_ended', email),
      line('data_exported', email),
      line('password_reset_requested', email),
      line('mail_link_failed', '', 'warn'),
      line('password_reset', email),
      line('signed_in', email),
      line('email_changed', email),
      line('signed_out', newEmail),
      line('activated', newEmail),
      line('signed_in', newEmail),
      line('account_deleted', newEmail),
    ])
  })

  it('logs each wrong code and each change of two-factor sign-in', async () => {
    const { secret } = (await user.client.call(beginTwoFactor, { password: TEST_PASSWORD })).body
    const totp = new TOTP({ secret })
    const code = (steps: number) => totp.generate({ timestamp: app.clock.now() + steps * 30_000 })
    await from(user.client, enableTwoFactor, { code: '000000' })
    await from(user.client, enableTwoFactor, { code: code(-1) })
    const { challenge } = (await signIn()).body as unknown as { challenge: string }
    await app.visitor.raw(loginWithCode, { challenge, code: 'wrong' }, FROM)
    await app.visitor.raw(loginWithCode, { challenge, code: code(0) }, FROM)
    await from(user.client, disableTwoFactor, { password: wrong, code: code(1) })
    await from(user.client, disableTwoFactor, { password: TEST_PASSWORD, code: code(1) })
    expect(lines.map(({ security }) => security)).toEqual([
      'code_failed',
      'two_factor_on',
      'code_failed',
      'signed_in',
      'password_failed',
      'two_factor_off',
    ])
    expect(new Set(lines.map(({ account, address }) => `${account} ${address}`))).toEqual(
      new Set([`${user.email} 203.0.113.9`]),
    )
  })

  it('logs the item of a link when a wrong link password is entered', async () => {
    const { id } = await user.client.upload('a', 'x')
    const { body } = await user.client.raw(updatePublicLink, { id, enabled: true, password: 'one' })
    const token = String(body.link).split('/').at(-1)
    lines = []
    await app.visitor.raw(unlockPublicLink, { token, password: wrong }, FROM)
    expect(lines).toEqual([{ security: 'link_password_failed', address: '203.0.113.9', item: id, level: 'warn' }])
  })

  it('never logs passwords or session tokens', async () => {
    await signIn(wrong)
    const { token } = (await signIn()).body
    const text = JSON.stringify(lines)
    for (const secret of [wrong, TEST_PASSWORD, token]) expect(text).not.toContain(secret)
  })

  it('documents every event and filters every failure in the fail2ban example', async () => {
    const docs = await readFile(DOCS, 'utf8')
    const source = await readFile(new URL('../../platform/security-log.ts', import.meta.url), 'utf8')
    const events = [...source.matchAll(/^ {2}(\w+): '.*\.',$/gm)].map(([, event]) => event)
    expect(events.length).toBeGreaterThan(20)
    const failures = source.slice(source.indexOf('const failures'), source.indexOf('const changes'))
    const failed = [...failures.matchAll(/^ {2}(\w+): /gm)].map(([, event]) => event)
    const filter = /^failregex = "security":"\(\?:(.*)\)","address":"<ADDR>"$/m.exec(docs)?.[1]
    expect(filter?.split('|')).toEqual(failed)
    expect([...docs.matchAll(/^\| `(\w+)` \|/gm)].map(([, event]) => event).sort()).toEqual(events.sort())
  })
})
