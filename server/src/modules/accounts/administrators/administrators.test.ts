import { deleteAccount } from '@alcove/contract/accounts'
import { createAppPassword } from '@alcove/contract/app-passwords'
import { listAuditLog } from '@alcove/contract/audit'
import { getStorage } from '@alcove/contract/files'
import { checkSetup, claimSetup, setUp } from '@alcove/contract/setup'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { runTestCommand } from '../../../testing/clients/operator.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { TEST_PASSWORD } from '../../../testing/factories/users.ts'
import { firstAdministratorUrl } from './first-administrator.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

const run = (...given: string[]) => runTestCommand(app.services.config, app.clock, ...given)
const tokenOfUrl = async () => (await firstAdministratorUrl(app.services))?.split('#')[1] ?? ''
const auditLog = async (client: TestClient) => (await client.call(listAuditLog, {})).body.entries

describe('the one-time address', () => {
  it('creates the first administrator, who is activated and signed in', async () => {
    const token = await tokenOfUrl()
    expect((await app.visitor.call(checkSetup, { token })).body).toEqual({ isOpen: true })
    const { body } = await app.visitor.call(setUp, { token, email: 'first@example.com', password: TEST_PASSWORD })
    const client = new TestClient(app.app, body.token)
    expect((await client.call(getStorage, {})).body.is_admin).toBe(true)
    expect(await auditLog(client)).toMatchObject([
      { action: 'administrator.first', via: 'setup', actor: 'first@example.com', ip: '127.0.0.1' },
    ])
  })

  it('makes a signed-in user the first administrator', async () => {
    const user = await app.createUser()
    expect((await user.client.call(getStorage, {})).body).not.toHaveProperty('is_admin')
    await user.client.call(claimSetup, { token: await tokenOfUrl() })
    expect((await user.client.call(getStorage, {})).body.is_admin).toBe(true)
  })

  it('works once, however many try at the same time', async () => {
    const token = await tokenOfUrl()
    const users = await Promise.all(Array.from({ length: 5 }, () => app.createUser()))
    const attempts = await Promise.all([
      ...users.map(({ client }) => client.raw(claimSetup, { token })),
      app.visitor.raw(setUp, { token, email: 'another@example.com', password: TEST_PASSWORD }),
    ])
    expect(attempts.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(attempts.filter(({ status }) => status === 404)).toHaveLength(5)
    expect(await firstAdministratorUrl(app.services)).toBeUndefined()
    expect((await app.visitor.raw(checkSetup, { token })).status).toBe(404)
  })

  it('ends when the command line makes an administrator', async () => {
    const token = await tokenOfUrl()
    const user = await app.createUser()
    expect((await run('user', 'set-role', user.email, 'admin')).code).toBe(0)
    expect(await firstAdministratorUrl(app.services)).toBeUndefined()
    const other = await app.createUser()
    expect((await other.client.raw(claimSetup, { token })).status).toBe(404)
  })

  it.each(['', 'x', 'A'.repeat(43)])('is refused with the token %j', async (token) => {
    expect((await app.visitor.raw(checkSetup, { token })).status).toBe(404)
    const signUp = { token, email: 'a@example.com', password: TEST_PASSWORD }
    expect((await app.visitor.raw(setUp, signUp)).status).toBe(404)
  })

  it('keeps the one-time address open if the account’s address is taken', async () => {
    const token = await tokenOfUrl()
    const { email } = await app.createUser()
    expect((await app.visitor.raw(setUp, { token, email, password: TEST_PASSWORD })).status).toBe(409)
    expect(await tokenOfUrl()).toBe(token)
  })
})

describe('administrators', () => {
  it('can’t lose the last of them', async () => {
    const admin = await app.createUser({ isAdmin: true })
    const refused = await admin.client.raw(deleteAccount, {})
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('only administrator') } })
    const demoted = await run('user', 'set-role', admin.email, 'user')
    expect(demoted).toMatchObject({ code: 1, errors: [expect.stringContaining('only administrator')] })
    expect((await run('user', 'delete', admin.email)).code).toBe(1)
    expect((await admin.client.call(getStorage, {})).body.is_admin).toBe(true)
  })

  it('keep one of them when all leave at once', async () => {
    const admins = await Promise.all(Array.from({ length: 4 }, () => app.createUser({ isAdmin: true })))
    const statuses = await Promise.all(admins.map(async ({ client }) => (await client.raw(deleteAccount, {})).status))
    expect(statuses.toSorted()).toEqual([200, 200, 200, 409])
  })

  it('are made and unmade on the command line, which the audit log says', async () => {
    const admin = await app.createUser({ isAdmin: true })
    const user = await app.createUser()
    for (const role of ['admin', 'admin', 'user']) await run('user', 'set-role', user.email, role)
    const entries = await auditLog(admin.client)
    expect(entries).toMatchObject([
      { action: 'user.role', target: user.email, via: 'command', details: { before: 'admin', after: 'user' } },
      { action: 'user.role', target: user.email, via: 'command', details: { before: 'user', after: 'admin' } },
    ])
    expect((await run('user', 'set-role', user.email, 'king')).errors).toEqual([
      'There is no role king. The roles are admin and user.',
    ])
  })

  it('create tokens for administration, which reach no files; others can’t create any', async () => {
    const admin = await app.createUser({ isAdmin: true })
    const { client } = await addAppPassword(app, admin, { scope: 'admin' })
    expect((await client.raw(listAuditLog, {})).status).toBe(200)
    expect((await client.raw(getStorage, {})).status).toBe(403)
    const user = await app.createUser()
    expect(await user.client.raw(createAppPassword, { name: 'x', scope: 'admin' })).toMatchObject({
      status: 400,
      body: { error: 'The scope must be read, write or upload.' },
    })
  })

  it('lose a token for administration with the role', async () => {
    const [admin] = await Promise.all([app.createUser({ isAdmin: true }), app.createUser({ isAdmin: true })])
    const { client } = await addAppPassword(app, admin, { scope: 'admin' })
    await run('user', 'set-role', admin.email, 'user')
    expect((await client.raw(listAuditLog, {})).status).toBe(404)
  })
})

describe('the audit log', () => {
  it('pages by cursor, newest first', async () => {
    const admin = await app.createUser({ isAdmin: true })
    const user = await app.createUser()
    for (const role of ['admin', 'user', 'admin']) {
      app.clock.advance(1000)
      await run('user', 'set-role', user.email, role)
    }
    const first = (await admin.client.call(listAuditLog, { limit: 2 })).body
    const second = (await admin.client.call(listAuditLog, { limit: 2, cursor: first.nextCursor ?? '' })).body
    expect([...first.entries, ...second.entries].map(({ details }) => details.after)).toEqual([
      'admin',
      'user',
      'admin',
    ])
    expect(second.nextCursor).toBeNull()
    expect((await admin.client.raw(listAuditLog, { cursor: 'x' })).status).toBe(400)
  })

  it('can’t be changed in the database', async () => {
    const user = await app.createUser()
    await run('user', 'set-role', user.email, 'admin')
    const { db } = app.services
    await expect(sql`update audit_log set actor = 'nobody'`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`delete from audit_log`.execute(db)).rejects.toThrow('append-only')
  })
})
