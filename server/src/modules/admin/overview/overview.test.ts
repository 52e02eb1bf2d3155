import { runChecks } from '@alcove/contract/admin-checks'
import { getOverview } from '@alcove/contract/admin-overview'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.createUser({ isAdmin: true })
})
afterEach(() => app.close())

const read = async () => (await admin.client.call(getOverview, {})).body
const problemIds = async () => (await read()).problems.map(({ id }) => id)

it('counts users by when they came and were last seen, and what they store', async () => {
  const user = await app.createUser()
  await user.client.upload('a.txt', 'abc')
  const { db } = app.services
  await db
    .updateTable('users')
    .set({ suspended_at: 1 })
    .where('id', '=', (await app.createUser()).id)
    .execute()
  await db
    .updateTable('users')
    .set({ deleted_at: 1 })
    .where('id', '=', (await app.createUser()).id)
    .execute()
  await db.updateTable('users').set({ last_seen_at: 1, created_at: 1 }).where('id', '=', user.id).execute()
  await db.updateTable('users').set({ last_seen_at: app.clock.now() }).where('id', '=', admin.id).execute()
  const overview = await read()
  expect(overview.users).toEqual({ total: 3, active: 1, created: 2, suspended: 1 })
  expect(overview).toMatchObject({ usedBytes: 3, version: expect.stringMatching(/^\d+\.\d+/), checkedAt: null })
  expect(Date.parse(overview.startedAt)).toBeLessThanOrEqual(Date.now())
})

it('shows at once what the database knows: missing backups, damaged files and failed jobs', async () => {
  const { db } = app.services
  expect(await problemIds()).toEqual(['backups'])
  await admin.client.upload('a.txt', 'abc')
  await db.updateTable('blobs').set({ damaged_at: 1 }).execute()
  await db
    .insertInto('jobs')
    .values({ id: crypto.randomUUID(), kind: 'x', payload: '{}', run_at: 9e15, attempts: 12, failed_at: 1 })
    .execute()
  expect(await problemIds()).toEqual(['damaged-files', 'jobs', 'backups'])
})

it('adds what the last run of all checks has found, and leaves out what was fixed since', async () => {
  const { db } = app.services
  await admin.client.upload('a.txt', 'abc')
  await db.updateTable('blobs').set({ damaged_at: 1 }).execute()
  Object.assign(app.services.config, { programPath: '' })
  await admin.client.call(runChecks, {})
  expect(await problemIds()).toEqual(expect.arrayContaining(['damaged-files', 'ffmpeg']))
  expect((await read()).checkedAt).not.toBeNull()
  await db.updateTable('blobs').set({ damaged_at: null }).execute()
  expect(await problemIds()).not.toContain('damaged-files')
  expect(await problemIds()).toContain('ffmpeg')
})
