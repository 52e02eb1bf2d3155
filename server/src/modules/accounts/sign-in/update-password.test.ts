import {
  forgotPassword,
  getAccountStatus,
  login,
  type SignedIn,
  updatePassword,
  validatePassword,
} from '@alcove/contract/accounts'
import { MAX_FAILED_LOGINS } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects, readToken } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

const NEW_PASSWORD = 'Another-horse-8'
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

const update = (input: Record<string, unknown> = {}) =>
  user.client.raw(updatePassword, { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD, ...input })
const signIn = (password: string) => app.visitor.raw<SignedIn>(login, { email: user.email, password })
const statusOf = async (token: string) => (await new TestClient(app.app, token).call(getAccountStatus, {})).status

describe('updating the password', () => {
  it('replaces the password, ends all other sessions and notifies the user by mail', async () => {
    const elsewhere = (await signIn(TEST_PASSWORD)).body.token
    const other = await app.createUser()
    expect(await update()).toMatchObject({ status: 200, body: { message: 'Password updated successfully.' } })
    expect(await statusOf(user.token)).toBe(200)
    expect(await statusOf(elsewhere)).toBe(401)
    expect(await statusOf(other.token)).toBe(200)
    expect((await signIn(TEST_PASSWORD)).status).toBe(401)
    expect((await signIn(NEW_PASSWORD)).status).toBe(200)
    expect(await readSubjects(app, user.email)).toEqual(['Your Alcove password was changed'])
  })

  it.each([
    ['a wrong current password', { currentPassword: 'Wrong-horse-7' }, 403, 'wrong_password', 'Incorrect password.'],
    ['no current password', { currentPassword: '' }, 400, 'malformed', 'Enter your password.'],
    [
      'a new password without an uppercase letter',
      { newPassword: 'another-horse-8' },
      400,
      'malformed',
      'Password does not meet requirements',
    ],
    [
      'a new password without a number',
      { newPassword: 'Another-horse' },
      400,
      'malformed',
      'Password does not meet requirements',
    ],
    [
      'a new password of seven characters',
      { newPassword: 'A-horse' },
      400,
      'malformed',
      'Password does not meet requirements',
    ],
    ['no new password', { newPassword: undefined }, 400, 'malformed', 'Password does not meet requirements'],
    [
      'a new password that is not a string',
      { newPassword: ['Another-horse-8'] },
      400,
      'malformed',
      'Password does not meet requirements',
    ],
    [
      'a new password that is too long',
      { newPassword: `A-1${'a'.repeat(254)}` },
      400,
      'malformed',
      'Password must be at most 256 characters long.',
    ],
  ])('rejects a password change with %s', async (_what, input, status, code, error) => {
    expect(await update(input)).toMatchObject({ status, body: { code, error } })
    expect((await signIn(TEST_PASSWORD)).status).toBe(200)
    expect(await readSubjects(app, user.email)).toEqual([])
  })

  it('accepts only one of two concurrent changes with the same current password', async () => {
    const responses = await Promise.all([update(), update({ newPassword: 'Third-horse-9' })])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  it('invalidates a session opened with the old password during the change', async () => {
    for (let round = 0; round < 5; round++) {
      user = await app.createUser()
      const [signedIn, changed] = await Promise.all([signIn(TEST_PASSWORD), update()])
      expect(changed.status).toBe(200)
      expect(await statusOf(signedIn.body.token)).toBe(401)
    }
  })

  it('invalidates a pending reset link when the password changes', async () => {
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    await update()
    expect((await app.visitor.call(validatePassword, { resetToken })).status).toBe(400)
  })

  it('limits wrong current passwords like failed sign-ins', async () => {
    for (let time = 0; time < MAX_FAILED_LOGINS; time++) {
      expect((await update({ currentPassword: 'Wrong-horse-7' })).status).toBe(403)
    }
    expect((await update()).status).toBe(429)
  })
})
