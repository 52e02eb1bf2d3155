import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { activate, getAccountStatus, login, register, resendActivation, type SignedIn } from '@alcove/contract/accounts'
import { getStorage, listFiles } from '@alcove/contract/files'
import { ACTIVATION_TTL, DEFAULT_ALLOCATION } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../testing/clients/client.ts'
import { readToken, readTokens } from '../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { TEST_PASSWORD } from '../../testing/factories/users.ts'

let app: TestApp
let email: string
const password = TEST_PASSWORD

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(() => {
  email = `${randomUUID()}@example.com`
})

const signUp = () => app.visitor.call(register, { email, password })

describe('registering', () => {
  it('creates an account and mails a link that activates it', async () => {
    const response = await signUp()
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      message: 'Registration successful, navigating to Login page',
      proof: expect.stringMatching(/^[\w-]{32}$/),
    })
    const [mail] = (await app.readMails()).filter((each) => each.includes(email))
    expect(mail).toContain('Subject: Activate your Alcove account\n')
    expect(mail).toContain(
      `\n${app.services.config.publicUrl}/activate?token=${await readToken(app, 'activate', email)}\n`,
    )
    expect((await app.visitor.call(login, { email, password })).status).toBe(403)
    const token = await readToken(app, 'activate', email)
    expect((await app.visitor.call(activate, { token })).status).toBe(200)
    expect((await app.visitor.call(login, { email, password })).status).toBe(200)
  })

  it('starts a new account on the free plan with its storage limit and no files', async () => {
    await signUp()
    await app.visitor.call(activate, { token: await readToken(app, 'activate', email) })
    const signedIn = await app.visitor.raw<SignedIn>(login, { email, password })
    expect(signedIn.body).toMatchObject({ planName: 'free', planId: 0, email })
    const client = new TestClient(app.app, signedIn.body.token)
    expect((await client.call(getStorage, {})).body).toMatchObject({
      used_bytes: 0,
      allocated_bytes: DEFAULT_ALLOCATION,
    })
    expect((await client.call(listFiles, {})).body.files).toEqual([])
  })

  it('rejects an address that has an account regardless of case and spaces', async () => {
    await signUp()
    await app.visitor.call(activate, { token: await readToken(app, 'activate', email) })
    for (const spelling of [email, email.toUpperCase(), ` ${email} `]) {
      const response = await app.visitor.call(register, { email: spelling, password: 'Another-horse-8' })
      expect(response.status).toBe(409)
      expect(response.body).toEqual({
        error: 'An account with this email already exists.',
        message: 'An account with this email already exists.',
        code: 'email_taken',
      })
    }
    expect(await readTokens(app, 'activate', email)).toHaveLength(1)
  })

  it('gives an address to only one of two concurrent registrations', async () => {
    const statuses = (await Promise.all([signUp(), signUp()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
    const rows = await app.services.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(rows).toHaveLength(1)
    expect(await readTokens(app, 'activate', email)).toHaveLength(1)
  })

  it('stores only hashes of the password and the activation token', async () => {
    await signUp()
    const { db } = app.services
    const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    expect(user.password_hash).toMatch(/^\$argon2id\$/)
    const tokens = await db.selectFrom('one_time_tokens').selectAll().where('user_id', '=', user.id).execute()
    expect(JSON.stringify([user, tokens])).not.toContain(await readToken(app, 'activate', email))
  })

  it('retries the activation mail after a failure and stores no token in the queue', async () => {
    const outbox = join(app.dataDir, 'outbox')
    await rm(outbox, { recursive: true, force: true })
    await writeFile(outbox, 'a file where the folder should be')
    expect((await signUp()).status).toBe(201)
    const [job] = await app.services.db.selectFrom('jobs').selectAll().execute()
    expect(Object.keys(JSON.parse(job?.payload ?? ''))).toEqual(['userId'])
    await rm(outbox)
    app.clock.advance(60_000)
    await app.services.jobs.runDue()
    expect(await app.services.db.selectFrom('jobs').selectAll().execute()).toEqual([])
    const token = await readToken(app, 'activate', email)
    expect((await app.visitor.call(activate, { token })).status).toBe(200)
  })
})

describe('activating an account', () => {
  const refusal = {
    error: 'This activation link is invalid or has expired.',
    message: 'This activation link is invalid or has expired.',
    code: 'invalid_token',
  }

  it('accepts an activation link only once', async () => {
    await signUp()
    const token = await readToken(app, 'activate', email)
    expect((await app.visitor.call(activate, { token })).body.message).toBe(
      'Your account has been successfully activated!',
    )
    const again = await app.visitor.call(activate, { token })
    expect(again.status).toBe(400)
    expect(again.body).toEqual(refusal)
  })

  it('accepts an activation link for only one of two concurrent requests', async () => {
    await signUp()
    const token = await readToken(app, 'activate', email)
    const responses = await Promise.all([1, 2].map(() => app.visitor.call(activate, { token })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('rejects an activation link after 48 hours', async () => {
    await signUp()
    app.clock.advance(ACTIVATION_TTL - 1)
    await app.visitor.call(resendActivation, { email })
    const [first, second] = await readTokens(app, 'activate', email)
    app.clock.advance(1)
    expect((await app.visitor.call(activate, { token: first as string })).body).toEqual(refusal)
    app.clock.advance(ACTIVATION_TTL - 2)
    expect((await app.visitor.call(activate, { token: second as string })).status).toBe(200)
  })

  it('rejects an unknown activation token', async () => {
    const response = await app.visitor.call(activate, { token: 'x' })
    expect(response.status).toBe(400)
    expect(response.body).toEqual(refusal)
  })

  it('rejects a password reset token at activation', async () => {
    const user = await app.createUser({ isActivated: false })
    await app.visitor.request({ method: 'POST', url: '/api/forgot-password', payload: { email: user.email } })
    const token = await readToken(app, 'reset-password', user.email)
    expect((await app.visitor.call(activate, { token })).body).toEqual(refusal)
    expect((await user.client.call(getAccountStatus, {})).body).toEqual({ isActivated: false })
  })
})

describe('resending the activation mail', () => {
  it('sends a second link and keeps the first valid until one of them is used', async () => {
    await signUp()
    const response = await app.visitor.call(resendActivation, { email })
    expect(response.body).toEqual({ message: 'Activation email sent. Check your inbox.' })
    const [first, second] = (await readTokens(app, 'activate', email)) as [string, string]
    expect(second).not.toBe(first)
    expect((await app.visitor.call(activate, { token: first })).status).toBe(200)
    expect((await app.visitor.call(activate, { token: second })).status).toBe(400)
  })

  it('returns the same response for unknown and activated addresses and sends no mail', async () => {
    const activated = await app.createUser()
    const before = (await app.readMails()).length
    for (const address of [activated.email, email]) {
      const response = await app.visitor.call(resendActivation, { email: address })
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ message: 'Activation email sent. Check your inbox.' })
    }
    expect(await app.readMails()).toHaveLength(before)
    expect(await app.services.db.selectFrom('jobs').selectAll().execute()).toEqual([])
  })
})
