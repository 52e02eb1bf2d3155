import { login } from '@alcove/contract/accounts'
import { createAppPassword } from '@alcove/contract/app-passwords'
import { listNotices, updateNoticeSettings } from '@alcove/contract/notices'
import { beginTwoFactor, enableTwoFactor } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readSubjects } from '../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../testing/factories/users.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
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

const signIn = async (ip: string) => {
  const headers = { 'user-agent': FIREFOX, 'x-forwarded-for': ip }
  expect((await app.visitor.raw(login, { email: user.email, password: TEST_PASSWORD }, headers)).status).toBe(200)
}
const notices = async () => (await user.client.call(listNotices, {})).body.notices
const subjects = () => readSubjects(app, user.email)

it('gives no notice of the first sign-in, nor of another one from the same device and network', async () => {
  await signIn(HOME)
  await signIn(HOME)
  expect(await notices()).toEqual([])
})

it('gives a notice of a sign-in from a new network, and counts further ones of the device in it', async () => {
  for (const ip of [HOME, '198.51.100.9', '192.0.2.44']) await signIn(ip)
  expect(await notices()).toMatchObject([
    { kind: 'new_sign_in', count: 2, data: { device: 'Firefox on Linux', ip: '192.0.2.44' } },
  ])
  expect(await subjects()).toHaveLength(2)
})

it('gives one notice of sign-ins from new networks at the same time', async () => {
  await signIn(HOME)
  await Promise.all(Array.from({ length: 6 }, (_, number) => signIn(`198.51.${number}.9`)))
  expect(await notices()).toMatchObject([{ count: 6 }])
})

it('gives a notice of a new app password with its name, and of two-factor sign-in', async () => {
  await user.client.call(createAppPassword, { name: 'Laptop', scope: 'read' })
  app.clock.advance(1000)
  const { secret } = (await user.client.call(beginTwoFactor, { password: TEST_PASSWORD })).body
  await user.client.call(enableTwoFactor, { code: new TOTP({ secret }).generate({ timestamp: app.clock.now() }) })
  expect(await notices()).toMatchObject([
    { kind: 'security_change', data: { change: 'two_factor_on' } },
    { kind: 'security_change', data: { change: 'app_password_created', name: 'Laptop' } },
  ])
})

it('gives no notice of a change that was refused', async () => {
  expect(
    (await user.client.raw(createAppPassword, { name: 'Laptop', scope: 'read', expiresAt: '2020-01-01T00:00:00Z' }))
      .status,
  ).toBe(400)
  expect(await notices()).toEqual([])
})

it('sends no mails that the user has turned off, but gives the notices', async () => {
  await user.client.call(updateNoticeSettings, { mail: { new_sign_in: false, security_change: false } })
  await signIn(HOME)
  await signIn('198.51.100.9')
  await user.client.call(createAppPassword, { name: 'Laptop', scope: 'read' })
  expect(await notices()).toHaveLength(2)
  expect(await subjects()).toEqual([])
})

it('says in its mails where to turn them off', async () => {
  await user.client.call(createAppPassword, { name: 'Laptop', scope: 'read' })
  const mails = (await app.readMails()).filter((mail) => mail.includes(`\nTo: ${user.email}\n`))
  expect(mails).toHaveLength(1)
  expect(mails[0]?.replaceAll('\n', ' ')).toContain('turn them off under “Notices” at')
})
