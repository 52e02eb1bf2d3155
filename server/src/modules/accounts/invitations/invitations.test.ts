import { login, register } from '@alcove/contract/accounts'
import { changePlanSettings } from '@alcove/contract/admin-plans'
import { changeSignUpSettings } from '@alcove/contract/admin-sign-up'
import { listAuditLog } from '@alcove/contract/audit'
import { getStorage } from '@alcove/contract/files'
import {
  acceptInvitationToServer,
  checkInvitation,
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '@alcove/contract/invitations'
import { GIGABYTE, INVITATION_TTL } from '@alcove/contract/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { sweepInvitations } from './invitations.ts'

const email = 'guest@example.com'
let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.createUser({ isAdmin: true })
})
afterEach(() => app.close())

const invite = (details: Record<string, unknown> = {}) => admin.client.raw(createInvitation, { email, ...details })
const tokenOf = (url: unknown) => String(url).split('#')[1] ?? ''
const accept = (token: string, password = TEST_PASSWORD) =>
  app.visitor.raw(acceptInvitationToServer, { token, password })
const inviteAndGetToken = async (details?: Record<string, unknown>) => tokenOf((await invite(details)).body.url)
const list = async () => (await admin.client.call(listInvitations, {})).body.invitations
const INVALID = { status: 404, body: { error: expect.stringContaining('has expired') } }

describe('an invitation', () => {
  it('creates an activated account and signs in, also while registration is closed', async () => {
    await admin.client.call(changeSignUpSettings, { mode: 'closed' })
    const invited = await invite()
    expect(invited).toMatchObject({
      status: 201,
      body: { email, role: 'user', planId: 0, quota: null, isExpired: false },
    })
    expect(await readSubjects(app, email)).toEqual(['Your invitation to Alcove'])
    const [mail] = (await app.readMails()).slice(-1)
    expect(mail?.replace(/=\r?\n/g, '')).toContain('/invitation#')
    const token = tokenOf(invited.body.url)
    expect((await app.visitor.call(checkInvitation, { token })).body).toEqual({ email })
    const { status, body } = await accept(token)
    expect(status).toBe(201)
    const storage = await new TestClient(app.app, String(body.token)).call(getStorage, {})
    expect(storage.body).toMatchObject({ plan_name: 'free' })
    expect(await list()).toEqual([])
  })

  it('works once, however many use it at the same time', async () => {
    const token = await inviteAndGetToken()
    const attempts = await Promise.all(Array.from({ length: 5 }, (_, n) => accept(token, `${TEST_PASSWORD}${n}`)))
    expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, 404, 404, 404, 404])
    expect(await app.visitor.raw(checkInvitation, { token })).toMatchObject(INVALID)
  })

  it('gives the promised plan, quota and role', async () => {
    const token = await inviteAndGetToken({ planId: 3, quota: 7 * GIGABYTE, role: 'admin' })
    const { body } = await accept(token)
    const { body: storage } = await new TestClient(app.app, String(body.token)).call(getStorage, {})
    expect(storage).toMatchObject({ plan_name: '2 TB Monthly', allocated_bytes: 7 * GIGABYTE, is_admin: true })
  })

  it('replaces an account that somebody registered with the address and never activated', async () => {
    await app.visitor.call(register, { email, password: 'Somebody-elses-1' })
    expect((await accept(await inviteAndGetToken())).status).toBe(201)
    expect((await app.visitor.raw(login, { email, password: 'Somebody-elses-1' })).status).toBe(401)
    expect((await app.visitor.raw(login, { email, password: TEST_PASSWORD })).status).toBe(200)
  })

  it('expires after 14 days, until it is sent again', async () => {
    const { body } = await invite()
    app.clock.advance(INVITATION_TTL)
    admin = await app.createUser({ isAdmin: true })
    expect(await accept(tokenOf(body.url))).toMatchObject(INVALID)
    expect(await list()).toMatchObject([{ email, isExpired: true }])
    await admin.client.call(resendInvitation, { id: String(body.id) })
    expect(await readSubjects(app, email)).toHaveLength(2)
    expect((await accept(tokenOf(body.url))).status).toBe(201)
  })

  it('no longer works when it was taken back', async () => {
    const { body } = await invite()
    await admin.client.call(revokeInvitation, { id: String(body.id) })
    expect(await accept(tokenOf(body.url))).toMatchObject(INVALID)
    expect((await admin.client.raw(revokeInvitation, { id: String(body.id) })).status).toBe(404)
    expect((await admin.client.raw(resendInvitation, { id: String(body.id) })).status).toBe(404)
  })

  it.each(['', 'x', 'A.B', '019ad0e4-0000-7000-8000-000000000000.AAAA'])(
    'is refused with the token %j',
    async (token) => {
      await invite()
      expect(await accept(token)).toMatchObject(INVALID)
    },
  )

  it('can’t be used with the signature of another one', async () => {
    const [one, other] = [await inviteAndGetToken(), await inviteAndGetToken({ email: 'other@example.com' })]
    const mixed = `${one.split('.')[0]}.${other.split('.')[1]}`
    expect(await accept(mixed)).toMatchObject(INVALID)
  })

  it('is refused for an address with an account or an open invitation', async () => {
    const user = await app.createUser()
    expect(await invite({ email: user.email })).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    const answers = await Promise.all([invite(), invite(), invite()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(await list()).toHaveLength(1)
  })

  it('keeps the password rules', async () => {
    const token = await inviteAndGetToken()
    expect((await accept(token, 'password')).status).toBe(400)
    expect((await accept(token)).status).toBe(201)
  })

  it('gives an account with everything on a server without plans', async () => {
    await admin.client.call(changePlanSettings, { enabled: false })
    const { body } = await accept(await inviteAndGetToken())
    expect(body.planName).toBe('')
  })

  it('is forgotten a month after it has expired', async () => {
    await invite()
    app.clock.advance(INVITATION_TTL)
    await sweepInvitations(app.services)
    admin = await app.createUser({ isAdmin: true })
    expect(await list()).toHaveLength(1)
    app.clock.advance(31 * 24 * 3_600_000)
    await sweepInvitations(app.services)
    admin = await app.createUser({ isAdmin: true })
    expect(await list()).toEqual([])
  })
})

it('lists invitations by cursor, newest first, and notes them in the audit log', async () => {
  const emails = Array.from({ length: 102 }, (_, n) => `guest${n}@example.com`)
  for (const one of emails) await invite({ email: one })
  const first = (await admin.client.call(listInvitations, {})).body
  const second = (await admin.client.call(listInvitations, { cursor: first.nextCursor ?? '' })).body
  expect([...first.invitations, ...second.invitations].map((one) => one.email)).toEqual(emails.toReversed())
  expect(second.nextCursor).toBeNull()
  await admin.client.call(revokeInvitation, { id: first.invitations[0]?.id ?? '' })
  expect((await admin.client.call(listAuditLog, { limit: 2 })).body.entries).toMatchObject([
    { action: 'invitation.revoked', target: 'guest101@example.com' },
    { action: 'invitation.created', target: 'guest101@example.com', details: { role: 'user' } },
  ])
})
