import { randomUUID } from 'node:crypto'
import { login } from '@alcove/contract/accounts'
import {
  activateUser,
  cancelUserDeletion,
  endUserTwoFactor,
  getUser,
  listUsers,
  scheduleUserDeletion,
  setUserPlan,
  setUserQuota,
  setUserRole,
  signUserOut,
  suspendUser,
  unsuspendUser,
} from '@alcove/contract/admin-users'
import { listAuditLog } from '@alcove/contract/audit'
import type { InputOf } from '@alcove/contract/call'
import { createFolder, getStorage, trashFile } from '@alcove/contract/files'
import { GIGABYTE } from '@alcove/contract/limits'
import { inviteMember } from '@alcove/contract/members'
import { updateProfile } from '@alcove/contract/profile'
import { updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runTestCommand } from '../../../testing/clients/operator.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { deleteUser } from '../../accounts/index.ts'
import { deleteDueUsers } from './suspend-users.ts'

const DAY = 24 * 3600_000

let app: TestApp
let admin: TestUser
let user: TestUser
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  // Signed in recently, although other tests have moved the clock.
  admin = await app.createUser({ isAdmin: true })
  user = await app.createUser()
})

const run = (...given: string[]) => runTestCommand(app.services.config, app.clock, ...given)
const details = async (id = user.id) => (await admin.client.call(getUser, { id })).body
const lastEntry = async () => (await admin.client.call(listAuditLog, { limit: 1 })).body.entries[0]
const list = async (input: InputOf<typeof listUsers>) => (await admin.client.call(listUsers, input)).body
const change = (id: string, columns: object) =>
  app.services.db.updateTable('users').set(columns).where('id', '=', id).execute()

/** Reads all pages. */
async function listAll(input: InputOf<typeof listUsers>): Promise<string[]> {
  const emails: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await list({ ...input, cursor })
    emails.push(...page.users.map(({ email }) => email))
    if (page.nextCursor === null) return emails
    cursor = page.nextCursor
  }
}

describe('the list of users', () => {
  const key = randomUUID().slice(0, 8)
  const emailOf = (name: string) => `${name}-${key}@example.com`
  beforeAll(async () => {
    const rows = [
      ['ann', { used_bytes: 300, created_at: 3, last_seen_at: 9 }],
      ['bob', { used_bytes: 100, created_at: 1, last_seen_at: null, suspended_at: 5 }],
      ['cyd', { used_bytes: 300, created_at: 2, last_seen_at: 7, suspended_at: 5, deletion_due_at: 8 }],
      [
        'dan',
        { used_bytes: 200, created_at: 4, last_seen_at: 8, activated_at: null, plan_id: 3, plan_name: '2 TB Monthly' },
      ],
    ] as const
    for (const [name, columns] of rows) {
      const { id, client } = await app.createUser()
      if (name === 'ann') await client.call(updateProfile, { displayName: 'Ängström Σίσυφος Сизиф Straße' })
      await change(id, { ...columns, email: emailOf(name) })
    }
  })
  const names = (emails: readonly string[]) => emails.map((email) => email.slice(0, 3))

  it.each([
    ['email', 'asc', ['ann', 'bob', 'cyd', 'dan']],
    ['email', 'desc', ['dan', 'cyd', 'bob', 'ann']],
    ['createdAt', 'asc', ['bob', 'cyd', 'ann', 'dan']],
    ['createdAt', 'desc', ['dan', 'ann', 'cyd', 'bob']],
    ['lastSeenAt', 'asc', ['bob', 'cyd', 'dan', 'ann']],
    ['lastSeenAt', 'desc', ['ann', 'dan', 'cyd', 'bob']],
  ] as const)('sorts by %s, %s, page by page', async (sort, order, expected) => {
    for (const limit of [1, 3, 100]) {
      expect(names(await listAll({ search: key, sort, order, limit }))).toEqual(expected)
    }
  })

  it('lists users of the same usage once, in either order', async () => {
    const up = names(await listAll({ search: key, sort: 'usedBytes', limit: 1 }))
    expect(up.slice(0, 2)).toEqual(['bob', 'dan'])
    expect(up.slice(2).toSorted()).toEqual(['ann', 'cyd'])
    expect(names(await listAll({ search: key, sort: 'usedBytes', order: 'desc', limit: 1 }))).toEqual(up.toReversed())
  })

  it.each([
    [{ state: 'active' }, ['ann']],
    [{ state: 'suspended' }, ['bob']],
    [{ state: 'deletion' }, ['cyd']],
    [{ state: 'unconfirmed' }, ['dan']],
    [{ planId: 3 }, ['dan']],
    [{ role: 'admin' }, []],
    [{ role: 'user' }, ['ann', 'bob', 'cyd', 'dan']],
  ] as const)('filters by %j and counts the matches', async (filter, expected) => {
    const page = await list({ ...filter, search: key, limit: 1 })
    expect(page.total).toBe(expected.length)
    expect(names(await listAll({ ...filter, search: key }))).toEqual(expected)
  })

  it('finds a part of the address or of the display name, whatever the case', async () => {
    expect(names(await listAll({ search: `ANN-${key}` }))).toEqual(['ann'])
    for (const search of ['Ängst', 'äNGST', 'ANGST', 'Σίσυφος', 'ΣΊΣΥΦΟΣ', 'сизиф', 'СИЗИФ', 'strasse', 'STRAẞE']) {
      expect(await listAll({ search }), search).toEqual([emailOf('ann')])
    }
    expect(await listAll({ search: '\u0301' })).toEqual([])
    // Characters that mean something in patterns mean themselves.
    expect(await listAll({ search: '%' })).toEqual([])
    expect(await listAll({ search: "'_" })).toEqual([])
  })

  it('counts on the first page only', async () => {
    const first = await list({ search: key, limit: 1 })
    expect((await list({ search: key, limit: 1, cursor: first.nextCursor ?? '' })).total).toBeNull()
  })

  it.each(['x', '', 'W10', 'WzEsMl0', 'bnVsbA', 'eyJ9'])('rejects the cursor %j', async (cursor) => {
    const response = await admin.client.raw(listUsers, { cursor })
    expect(response).toMatchObject({ status: 400, body: { error: 'Invalid cursor. Start again at the first page.' } })
  })

  it('rejects a cursor of another sort', async () => {
    const { nextCursor } = await list({ limit: 1 })
    expect((await admin.client.raw(listUsers, { limit: 1, sort: 'usedBytes', cursor: nextCursor })).status).toBe(400)
  })

  it('leaves out deleted accounts', async () => {
    const { email, id } = user
    expect(await listAll({ search: email })).toEqual([email])
    await change(id, { deleted_at: 1 })
    expect(await listAll({ search: email })).toEqual([])
    expect((await admin.client.raw(getUser, { id })).status).toBe(404)
  })
})

describe('the details of a user', () => {
  it('count what the user has and name no file', async () => {
    const { client } = user
    const secret = 'secret plans'
    const folder = (await client.call(createFolder, { folderName: secret })).body
    const file = await client.upload(`${secret}.txt`, 'x'.repeat(100), { folderId: folder.id })
    const trashed = await client.upload(`${secret} 2.txt`, 'y'.repeat(50))
    await client.call(trashFile, { id: trashed.id })
    await client.call(updatePublicLink, { id: file.id, enabled: true })
    for (const name of ['one', 'two']) {
      await client.call(inviteMember, { id: folder.id, email: `${name}-${user.id}@example.com`, role: 'viewer' })
    }
    await addAppPassword(app, user)
    const response = await admin.client.call(getUser, { id: user.id })
    expect(response.body).toMatchObject({
      ...{ email: user.email, state: 'active', role: 'user', planId: 0, isPlanPaid: false, ownQuota: null },
      ...{ usedBytes: 150, trashedBytes: 50, versionBytes: 0, itemCount: 3, quota: 10 * GIGABYTE },
      ...{ sessions: 1, appPasswords: 1, passkeys: 0, hasTwoFactor: false, links: 1, sharedFolders: 1, memberships: 0 },
    })
    expect(JSON.stringify(response.body)).not.toContain(secret)
  })

  it('say when the user was last seen', async () => {
    expect((await details()).lastSeenAt).toBeNull()
    await app.visitor.call(login, { email: user.email, password: TEST_PASSWORD })
    expect((await details()).lastSeenAt).toBe(new Date(app.clock.now()).toISOString())
  })
})

describe('actions of administrators', () => {
  it('activate an account', async () => {
    const waiting = await app.createUser({ isActivated: false })
    await admin.client.call(activateUser, { id: waiting.id })
    expect((await details(waiting.id)).state).toBe('active')
    expect(await lastEntry()).toMatchObject({
      ...{ action: 'user.activated', target: waiting.email, actor: admin.email, via: 'session', ip: '127.0.0.1' },
    })
    expect((await run('user', 'activate', waiting.email)).printed).toEqual([`${waiting.email} was activated already.`])
  })

  it('give a plan, which an own quota outlives', async () => {
    const { id } = user
    await admin.client.call(setUserPlan, { id, planId: 3 })
    expect(await details()).toMatchObject({ planId: 3, quota: 2048 * GIGABYTE, planQuota: 2048 * GIGABYTE })
    await admin.client.call(setUserQuota, { id, quota: 7 * GIGABYTE })
    expect(await lastEntry()).toMatchObject({ action: 'user.quota', details: { before: null, after: 7 * GIGABYTE } })
    expect((await user.client.call(getStorage, {})).body.allocated_bytes).toBe(7 * GIGABYTE)
    await admin.client.call(setUserPlan, { id, planId: 1 })
    expect(await details()).toMatchObject({ planId: 1, quota: 7 * GIGABYTE, ownQuota: 7 * GIGABYTE })
    await admin.client.call(setUserQuota, { id, quota: null })
    expect(await details()).toMatchObject({ quota: 100 * GIGABYTE, ownQuota: null })
    expect((await run('user', 'set-quota', user.email, '0.5TB')).code).toBe(0)
    expect((await details()).quota).toBe(512 * GIGABYTE)
    expect((await run('user', 'set-quota', user.email, 'much')).errors).toEqual([
      '"much" is not a quota. Use a number with GB or TB, such as 500GB, or the word plan.',
    ])
  })

  it('refuse an upload beyond an own quota of nothing', async () => {
    await admin.client.call(setUserQuota, { id: user.id, quota: 0 })
    const chunk = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1 }
    expect((await user.client.sendChunk(chunk, 'x')).body).toMatchObject({ code: 'quota_exceeded' })
  })

  it('explain a plan that doesn’t exist and a quota that is none', async () => {
    const { id } = user
    expect((await admin.client.raw(setUserPlan, { id, planId: 99 })).body.error).toMatch(/^There is no plan 99\./)
    for (const quota of [-1, 0.5, 'x', Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await admin.client.raw(setUserQuota, { id, quota })
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^The quota (must|can)/)])
    }
  })

  it('give and take the role of an administrator', async () => {
    const { id } = user
    await admin.client.call(setUserRole, { id, role: 'admin' })
    expect((await user.client.raw(listUsers, {})).status).toBe(200)
    await admin.client.call(setUserRole, { id, role: 'user' })
    expect((await user.client.raw(listUsers, {})).status).toBe(404)
    expect(await lastEntry()).toMatchObject({ action: 'user.role', details: { before: 'admin', after: 'user' } })
  })

  it('sign out, with or without apps', async () => {
    const { client } = await addAppPassword(app, user)
    await admin.client.call(signUserOut, { id: user.id })
    expect((await user.client.raw(getStorage, {})).status).toBe(401)
    expect((await client.raw(getStorage, {})).status).toBe(200)
    await admin.client.call(signUserOut, { id: user.id, appPasswords: true })
    expect((await client.raw(getStorage, {})).status).toBe(401)
    expect(await lastEntry()).toMatchObject({ action: 'user.signed-out', details: { sessions: 0, appPasswords: 1 } })
  })

  it('end two-factor sign-in once', async () => {
    const { id } = user
    await app.services.db
      .insertInto('two_factor')
      .values({ user_id: id, secret: '', begun_at: 1, enabled_at: 1 })
      .execute()
    expect((await details()).hasTwoFactor).toBe(true)
    await admin.client.call(endUserTwoFactor, { id })
    expect((await details()).hasTwoFactor).toBe(false)
    expect((await admin.client.raw(endUserTwoFactor, { id })).status).toBe(409)
  })

  it.each([suspendUser, setUserRole, endUserTwoFactor, scheduleUserDeletion])(
    'need a recent sign-in for $path, unless a token makes the call',
    async (call) => {
      const { secret, client } = await addAppPassword(app, admin, { scope: 'admin' })
      expect(secret).toBeTruthy()
      app.clock.advance(3600_000)
      const input = { id: user.id, role: 'user', days: 30 }
      expect((await admin.client.raw(call, input)).body.code).toBe('reauthentication_required')
      expect([200, 409]).toContain((await client.raw(call, input)).status)
    },
  )

  it('are refused to administrators on their own account', async () => {
    const { id } = admin
    for (const call of [suspendUser, setUserRole, scheduleUserDeletion]) {
      const refused = await admin.client.raw(call, { id, role: 'user', days: 0 })
      expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('your own account') } })
    }
  })

  it('never leave the server without an administrator, however many act at once', async () => {
    const own = await createTestApp()
    try {
      const admins = await Promise.all(Array.from({ length: 4 }, () => own.createUser({ isAdmin: true })))
      const actions = [suspendUser, setUserRole, scheduleUserDeletion, scheduleUserDeletion]
      // Each acts against the next one.
      await Promise.all(
        admins.map(({ client }, at) =>
          client.raw(actions[at] as typeof suspendUser, {
            ...{ id: admins[(at + 1) % admins.length]?.id, role: 'user', days: at === 3 ? 0 : 5 },
          }),
        ),
      )
      const left = await own.services.db
        .selectFrom('users')
        .select('id')
        .where('site_role', '=', 'admin')
        .where('suspended_at', 'is', null)
        .where('deleted_at', 'is', null)
        .execute()
      expect(left.length).toBeGreaterThanOrEqual(1)
      const last = left[0]?.id as string
      const email = admins.find(({ id }) => id === last)?.email as string
      for (const command of [['suspend'], ['delete'], ['delete', '--days', '5'], ['set-role', 'user']]) {
        if (left.length > 1) break
        const [name = '', ...rest] = command
        const refused = await runTestCommand(own.services.config, own.clock, 'user', name, email, ...rest)
        expect(refused).toMatchObject({ code: 1, errors: [expect.stringContaining('only administrator')] })
      }
    } finally {
      await own.close()
    }
  })
})

describe('the deletion of an account by an administrator', () => {
  const isThere = async () =>
    (await app.services.db.selectFrom('users').select('id').where('id', '=', user.id).execute()).length > 0

  it('happens after the grace period, in which the account is suspended and the user knows the date', async () => {
    const { id, email } = user
    const { body } = await admin.client.call(scheduleUserDeletion, { id })
    expect(body.deletionDueAt).toBe(new Date(app.clock.now() + 30 * DAY).toISOString())
    expect(await details()).toMatchObject({ state: 'deletion', deletionDueAt: body.deletionDueAt })
    expect((await user.client.raw(getStorage, {})).body.code).toBe('account_suspended')
    const mail = (await app.readMails()).findLast((text) => text.includes(email))
    expect(mail).toContain('Subject: Your Alcove account will be deleted')
    app.clock.advance(30 * DAY - 1)
    await deleteDueUsers(app.services)
    expect(await isThere()).toBe(true)
    app.clock.advance(1)
    await deleteDueUsers(app.services)
    expect(await isThere()).toBe(false)
    const entries = await app.services.db.selectFrom('audit_log').selectAll().where('target', '=', email).execute()
    expect(entries.map(({ action, via }) => [action, via])).toEqual([
      ['user.deletion', 'session'],
      ['user.deleted', 'server'],
    ])
  })

  it('can be canceled, and an account that was suspended before stays suspended', async () => {
    const { id, email } = user
    await run('user', 'delete', email, '--days', '5')
    expect((await admin.client.raw(unsuspendUser, { id })).status).toBe(409)
    await admin.client.call(cancelUserDeletion, { id })
    expect((await details()).state).toBe('active')
    expect((await app.readMails()).some((text) => text.includes(email) && text.includes('will not be deleted'))).toBe(
      true,
    )

    await admin.client.call(suspendUser, { id })
    await run('user', 'delete', email, '--days', '5')
    expect((await run('user', 'keep', email)).printed).toEqual([`${email} stays, and is still suspended.`])
    expect((await details()).state).toBe('suspended')
    app.clock.advance(6 * DAY)
    await deleteDueUsers(app.services)
    expect(await isThere()).toBe(true)
  })

  it('does not happen if it was canceled after the job had found the account', async () => {
    await deleteUser(app.services, user.id, { dueBy: app.clock.now() })
    await run('user', 'delete', user.email, '--days', '1')
    await deleteUser(app.services, user.id, { dueBy: app.clock.now() })
    expect(await isThere()).toBe(true)
  })

  it('happens at once with 0 days', async () => {
    await user.client.upload('a.txt', 'a')
    const { body } = await admin.client.call(scheduleUserDeletion, { id: user.id, days: 0 })
    expect(body.deletionDueAt).toBeNull()
    expect(await isThere()).toBe(false)
    expect(await lastEntry()).toMatchObject({ action: 'user.deleted', target: user.email, actor: admin.email })
    expect((await admin.client.raw(scheduleUserDeletion, { id: user.id, days: 0 })).status).toBe(404)
  })

  it('explains a grace period that is none', async () => {
    for (const days of [-1, 1.5, 'x', 366]) {
      const { status, body } = await admin.client.raw(scheduleUserDeletion, { id: user.id, days })
      expect([status, body.error]).toEqual([400, 'The grace period must be a whole number of days from 0 to 365.'])
    }
    expect((await run('user', 'delete', user.email, '--days', '0')).code).toBe(1)
  })
})
