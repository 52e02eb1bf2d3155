import {
  activate,
  forgotPassword,
  login,
  register,
  resendActivation,
  resetPassword,
  validatePassword,
} from '@alcove/contract/accounts'
import type { AnyCall } from '@alcove/contract/call'
import { loginWithCode } from '@alcove/contract/two-factor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'

const PASSWORD = 'Correct-horse-7'
const bodyCalls = { register, login, activate, resendActivation, forgotPassword, resetPassword }
let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const urlOf = (call: AnyCall) => `/api${call.path.replace('{resetToken}', 'x')}`

describe.each(Object.entries(bodyCalls))('%s', (_name, call) => {
  async function expectRefusal(status: number, code: string, payload?: string | object, type = 'application/json') {
    const headers = { 'content-type': type }
    const response = await app.visitor.request({
      method: 'POST',
      url: urlOf(call),
      headers,
      ...(payload !== undefined && { payload }),
    })
    expect(response.status, JSON.stringify(payload)?.slice(0, 100)).toBe(status)
    expect(response.body).toEqual({ error: expect.any(String), message: response.body.error, code })
    expect(response.body.error).not.toBe('')
  }

  it('rejects a missing body', () => expectRefusal(400, 'malformed'))
  it('rejects an empty object as the body', () => expectRefusal(400, 'malformed', {}))
  it('rejects an array as the body', () =>
    expectRefusal(400, 'malformed', [{ email: 'a@example.com', password: PASSWORD }]))
  it('rejects a primitive JSON value as the body', async () => {
    for (const payload of ['null', '7', '"text"', 'true']) await expectRefusal(400, 'malformed', payload)
  })
  it('rejects a body that is not valid JSON', () => expectRefusal(400, 'malformed', '{"email": '))
  it('rejects a body with a __proto__ key', () =>
    expectRefusal(400, 'malformed', '{"__proto__": {"email": "a@example.com"}}'))
  it('rejects a body with a content type other than JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      await expectRefusal(400, 'malformed', 'email=a@example.com', type)
    }
  })
  it('rejects a body larger than one megabyte', () =>
    expectRefusal(413, 'too_large', { email: 'x'.repeat(1024 * 1024) }))
  it('rejects fields of the wrong type', async () => {
    for (const value of [7, true, null, [], ['a@example.com'], { $gt: '' }]) {
      await expectRefusal(400, 'malformed', { email: value, password: value, token: value, newPassword: value })
    }
  })
})

describe.each(Object.entries({ register, resendActivation, forgotPassword }))(
  'the email address in %s',
  (_name, call) => {
    it.each([
      '',
      '   ',
      'plain',
      '@example.com',
      'a@',
      'a@example',
      'a@example.c',
      'a@example.comma',
      'a b@example.com',
      'a@exa mple.com',
      'a@b@example.com',
      'a@example.com\nBcc: b@example.com',
      'a\u0000@example.com',
      'Name <a@example.com>',
      `${'x'.repeat(250)}@example.com`,
    ])('rejects the email address %j', async (email) => {
      const response = await app.visitor.raw(call, { email, password: PASSWORD })
      expect(response.status).toBe(400)
      expect(response.body).toEqual({
        error: 'Invalid email format',
        message: 'Invalid email format',
        code: 'malformed',
      })
    })
  },
)

describe('a new password', () => {
  it('rejects a password that violates any of the rules', async () => {
    for (const password of ['', 'Short1$', 'noupper1$', 'NOLOWER1$', 'NoDigits$', 'NoSpecial1', 'Blank no 1']) {
      const response = await app.visitor.raw(register, { email: 'a@example.com', password })
      expect(response.status, password).toBe(400)
      expect(response.body.error).toBe('Password does not meet requirements')
    }
  })

  it('rejects a password longer than 256 characters', async () => {
    const response = await app.visitor.raw(register, { email: 'a@example.com', password: `Aa1$${'x'.repeat(300)}` })
    expect(response.status).toBe(400)
    expect(response.body.error).toBe('Password must be at most 256 characters long.')
  })

  it('accepts passwords with any special character, any script and the full length', async () => {
    for (const [index, password] of ['Pass word1 -', 'Пароль-Aa1', '🔑🔑🔑🔑Aa1', `Aa1$${'x'.repeat(252)}`].entries()) {
      const email = `full-${index}@example.com`
      expect((await app.visitor.raw(register, { email, password })).status, password).toBe(201)
      expect((await app.visitor.raw(login, { email, password })).status).toBe(403)
    }
  })

  it('treats composed and decomposed accents in a password as equal', async () => {
    const email = 'accents@example.com'
    await app.visitor.raw(register, { email, password: 'Cafe\u0301-Aa1' })
    expect((await app.visitor.raw(login, { email, password: 'Caf\u00e9-Aa1' })).status).toBe(403)
  })
})

describe('a token', () => {
  it('rejects a blank, overlong or malformed token', async () => {
    for (const token of ['', 'x'.repeat(513), 'x'.repeat(5000), '\u0000', '../..']) {
      expect((await app.visitor.raw(activate, { token })).status, token.slice(0, 20)).toBe(400)
    }
    for (const resetToken of ['x'.repeat(513), '\u0000', '../..', '%', '🔑']) {
      expect((await app.visitor.raw(validatePassword, { resetToken })).status, resetToken.slice(0, 20)).toBe(400)
    }
  })
})

describe('a missing field', () => {
  it('names a missing field in a readable sentence without type names', async () => {
    expect((await app.visitor.raw(activate, {})).body.error).toBe('No token was given.')
    expect((await app.visitor.raw(loginWithCode, { code: '123456' })).body.error).toBe('challenge is missing.')
  })
})
