import {
  activate,
  forgotPassword,
  getAccountStatus,
  login,
  register,
  resendActivation,
  resetPassword,
  updateEmail,
  validatePassword,
} from '@alcove/contract/accounts'
import { MAX_FAILED_LOGINS, MAX_MAILS_PER_ADDRESS } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSubjects, readToken } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

const password = TEST_PASSWORD
let app: TestApp
let user: TestUser
let newEmail: string

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
  newEmail = `new-${user.email}`
})

const update = (input: Record<string, unknown> = {}, of = user) =>
  of.client.raw(updateEmail, { email: of.email, newEmail, password, ...input })
const signIn = async (email: string) => (await app.visitor.raw(login, { email, password })).status
const status = async () => (await user.client.call(getAccountStatus, {})).body

describe('updating the email address', () => {
  it('keeps the session and requires the new address to be confirmed before the next sign-in', async () => {
    const response = await update({ newEmail: ` ${newEmail.toUpperCase()} ` })
    expect(response).toMatchObject({
      status: 200,
      body: { message: 'Email updated. Check your inbox to verify the new address.', email: newEmail },
    })
    expect(await status()).toEqual({ isActivated: false })
    expect(await signIn(newEmail)).toBe(403)
    expect(await signIn(user.email)).toBe(401)
    expect(await readSubjects(app, newEmail)).toEqual(['Confirm your new email address'])
    expect(await readSubjects(app, user.email)).toEqual(['The email address of your Alcove account was changed'])
    await user.client.call(activate, { token: await readToken(app, 'activate', newEmail) })
    expect(await status()).toEqual({ isActivated: true })
    expect(await signIn(newEmail)).toBe(200)
  })

  it('resends the confirmation mail to the new address on request', async () => {
    await update()
    await app.visitor.call(resendActivation, { email: newEmail })
    expect(await readSubjects(app, newEmail)).toEqual(Array(2).fill('Confirm your new email address'))
  })

  it('frees the old address for a new registration', async () => {
    await update()
    expect((await app.visitor.call(register, { email: user.email, password })).status).toBe(201)
    expect((await update({ email: newEmail, newEmail: user.email })).status).toBe(409)
  })

  it.each([
    ['a wrong password', { password: 'Wrong-horse-7' }, 403, 'wrong_password', 'Incorrect password.'],
    ['no password', { password: '' }, 400, 'malformed', 'Enter your password.'],
    [
      'the email of another account',
      { email: 'other@example.com' },
      400,
      'malformed',
      'This is not the email address of your account.',
    ],
    ['no current email', { email: '' }, 400, 'malformed', 'This is not the email address of your account.'],
    ['a malformed new email', { newEmail: 'no address' }, 400, 'malformed', 'Invalid email format'],
    [
      'a new email that contains a line break',
      { newEmail: 'a@example.com\nBcc: b@example.com' },
      400,
      'malformed',
      'Invalid email format',
    ],
    ['no new email', { newEmail: undefined }, 400, 'malformed', 'Invalid email format'],
  ])('rejects an address change with %s', async (_what, input, expected, code, error) => {
    expect(await update(input)).toMatchObject({ status: expected, body: { code, error } })
    expect(await status()).toEqual({ isActivated: true })
    expect(await readSubjects(app, user.email)).toEqual([])
  })

  it('rejects the current address and a taken address regardless of case', async () => {
    expect(await update({ newEmail: user.email.toUpperCase() })).toMatchObject({
      status: 400,
      body: { error: 'This is already your email address.' },
    })
    const other = await app.createUser()
    expect(await update({ newEmail: other.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { code: 'email_taken', error: 'An account with this email already exists.' },
    })
    expect(await status()).toEqual({ isActivated: true })
  })

  it('gives a new address to only one of two accounts that request it concurrently', async () => {
    const other = await app.createUser()
    const responses = await Promise.all([update(), update({ email: other.email }, other)])
    expect(responses.map((response) => response.status).sort()).toEqual([200, 409])
  })

  it('applies only one of two concurrent address changes of the same account', async () => {
    const responses = await Promise.all([update(), update({ newEmail: `other-${user.email}` })])
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    const { email } = await app.services.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(responses.find((response) => response.status === 200)?.body.email).toBe(email)
  })

  it('invalidates reset and activation links that were mailed to the old address', async () => {
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    await update()
    const reset = { resetToken, newPassword: 'Another1horse$' }
    expect((await app.visitor.call(resetPassword, reset)).body.code).toBe('invalid_token')
    await update({ email: newEmail, newEmail: `third-${user.email}` })
    const token = await readToken(app, 'activate', newEmail)
    expect((await app.visitor.call(activate, { token })).body.code).toBe('invalid_token')
    expect(await status()).toEqual({ isActivated: false })
  })

  it('rejects a reset token for the old address that is stored while the address changes', async () => {
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    // Simulates a mail job that stores its token while the address changes.
    const { db } = app.services
    const [row] = await db.selectFrom('one_time_tokens').selectAll().where('user_id', '=', user.id).execute()
    await update()
    await db
      .insertInto('one_time_tokens')
      .values(row as NonNullable<typeof row>)
      .execute()
    expect((await app.visitor.call(validatePassword, { resetToken })).body.code).toBe('invalid_token')
    const reset = { resetToken, newPassword: 'Another1horse$' }
    expect((await app.visitor.call(resetPassword, reset)).body.code).toBe('invalid_token')
  })

  it('counts wrong passwords together with failed sign-ins', async () => {
    for (let time = 0; time < MAX_FAILED_LOGINS; time++) {
      expect((await update({ password: 'Wrong-horse-7' })).status).toBe(403)
    }
    const response = await update()
    expect(response).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(800)
    expect(await signIn(user.email)).toBe(429)
  })

  it('limits the number of address changes of one account', async () => {
    const statuses: number[] = []
    let email = user.email
    for (let time = 0; time <= MAX_MAILS_PER_ADDRESS; time++) {
      const next = `${time}-${user.email}`
      const response = await update({ email, newEmail: next })
      statuses.push(response.status)
      if (response.status === 200) email = next
    }
    expect(statuses).toEqual([...Array(MAX_MAILS_PER_ADDRESS).fill(200), 429])
  })
})
