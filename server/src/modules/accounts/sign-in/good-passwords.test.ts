import {
  activate,
  forgotPassword,
  login,
  register,
  resetPassword,
  updateEmail,
  updatePassword,
} from '@alcove/contract/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isCommonPassword } from '../../../platform/crypto/passwords.ts'
import { readToken } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD } from '../../../testing/factories/users.ts'

const COMMON = {
  status: 400,
  body: { code: 'weak_password', error: 'This password is one of the most common ones. Choose another one.' },
}
const ADDRESS = {
  status: 400,
  body: { code: 'weak_password', error: 'Your password can’t be your email address. Choose another one.' },
}
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

describe('common passwords', () => {
  it.each(['P@ssw0rd', 'p@SSW0RD', 'Pa$$w0rd', '1qaz@WSX', '!QAZ2wsx', 'Zaq!2wsx'])(
    'treats %s as a common password',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(true)
    },
  )

  it.each(['Passw0rd!2024x', 'P@ssw0rd1', 'Password1!', 'Test1234!', 'Abcdef1!', 'Str0ng!Pass', TEST_PASSWORD])(
    'does not treat %s as a common password',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false)
    },
  )

  it('rejects a common password at registration without creating an account', async () => {
    const input = { email: 'common@example.com', password: 'P@ssw0rd' }
    expect(await app.visitor.raw(register, input)).toMatchObject(COMMON)
    expect((await app.visitor.raw(register, { ...input, password: TEST_PASSWORD })).status).toBe(201)
  })

  it('rejects a common password when the password is changed', async () => {
    const { client } = await app.createUser()
    const input = { currentPassword: TEST_PASSWORD, newPassword: 'P@ssw0rd' }
    expect(await client.raw(updatePassword, input)).toMatchObject(COMMON)
  })

  it('rejects a common password at a reset and keeps the reset link valid', async () => {
    const { email } = await app.createUser()
    await app.visitor.call(forgotPassword, { email })
    const resetToken = await readToken(app, 'reset-password', email)
    expect(await app.visitor.raw(resetPassword, { resetToken, newPassword: 'P@ssw0rd' })).toMatchObject(COMMON)
    const newPassword = 'Another1horse$'
    expect((await app.visitor.raw(resetPassword, { resetToken, newPassword })).status).toBe(200)
    expect((await app.visitor.raw(login, { email, password: newPassword })).status).toBe(200)
  })

  it('rejects a common password at activation and keeps the activation link valid', async () => {
    const email = 'activating@example.com'
    await app.visitor.raw(register, { email, password: TEST_PASSWORD })
    const token = await readToken(app, 'activate', email)
    expect(await app.visitor.raw(activate, { token, newPassword: 'P@ssw0rd' })).toMatchObject(COMMON)
    expect((await app.visitor.raw(activate, { token, newPassword: 'Another1horse$' })).status).toBe(200)
  })
})

describe('the email address as a password', () => {
  it('rejects the email address as a password regardless of case', async () => {
    const email = 'me-1@example.com'
    expect(await app.visitor.raw(register, { email, password: 'Me-1@Example.com' })).toMatchObject(ADDRESS)
    const { client } = await app.createUser({ email })
    const input = { currentPassword: TEST_PASSWORD, newPassword: 'Me-1@Example.com' }
    expect(await client.raw(updatePassword, input)).toMatchObject(ADDRESS)
  })

  it('rejects a new email address that equals the password', async () => {
    const { client, email } = await app.createUser()
    const password = 'New-1@Example.com'
    await client.raw(updatePassword, { currentPassword: TEST_PASSWORD, newPassword: password })
    const input = { email, newEmail: password.toLowerCase(), password }
    expect(await client.raw(updateEmail, input)).toMatchObject(ADDRESS)
  })
})
